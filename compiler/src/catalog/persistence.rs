//! Files and tables that are written.

use super::content::Content;
use super::reached::{reached, reached_table};
use super::subject::Subject;

pub(super) fn content(subject: &Subject<'_>) -> Content {
    let entries = reached(subject, |user| &user.plugin.declared.decl.writes);
    let body = reached_table("file", &entries, subject);
    let about = "Files that the program writes for itself or for its tools; what a model has a shell do is not among them. `{field}` stands for a field \
                 of the config, a word in capitals for what is known only when it is written. What a log holds is told in `session-events.md`.";
    Content::new("Persistence", about, &entries, body)
}
