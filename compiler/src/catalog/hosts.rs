//! Hosts that may be contacted.

use super::content::Content;
use super::reached::{reached, reached_table};
use super::subject::Subject;

pub(super) fn content(subject: &Subject<'_>) -> Content {
    let entries = reached(subject, |user| &user.plugin.declared.decl.hosts);
    let body = reached_table("host", &entries, subject);
    let about = "Hosts that are contacted by the program itself; what a model has its tools do is not among them. `{field}` stands for a field of \
                 the config, a word in capitals for a variable of the environment.";
    Content::new("Hosts", about, &entries, body)
}
