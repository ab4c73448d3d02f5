//! Why a part of a composition is there: where it came from, who needs it, and what would not mount without it.

mod event;
mod field;
mod row;
mod service;
mod tool;

use std::fmt::{self, Display};

use serde::Serialize;

use super::needs::{Loss, User, needs};
use super::{Composed, Unknown};
pub use event::EventAnswer;
pub use field::FieldAnswer;
pub use row::RowAnswer;
pub use service::ServiceAnswer;
pub use tool::ToolAnswer;

/// All that a name stands for in a composition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Why {
    /// The name.
    pub asked: String,
    /// Profile name.
    pub profile: String,
    /// One for each kind of thing that has the name; at least one.
    pub answers: Vec<Answer>,
}

/// What is known of one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Answer {
    /// A row, by its id.
    Row(Box<RowAnswer>),
    /// A service, by its key, its type or its id.
    Service(ServiceAnswer),
    /// A tool, by the name that the model uses.
    Tool(ToolAnswer),
    /// An event, by its name, its type or its id.
    Event(EventAnswer),
    /// A config field, as `row.path.to.field`.
    Field(FieldAnswer),
}

impl Why {
    /// Looks a name up among rows, services, tools, events and fields.
    ///
    /// # Errors
    /// Nothing has the name.
    pub fn new(composed: &Composed<'_>, asked: &str) -> Result<Self, Unknown> {
        let needs = needs(composed);
        let mut answers: Vec<Answer> = Vec::new();
        answers.extend(composed.composition.row(asked).map(|row| Answer::Row(Box::new(RowAnswer::new(composed, &needs, asked, row)))));
        answers.extend(ServiceAnswer::all(composed, &needs, asked).into_iter().map(Answer::Service));
        answers.extend(ToolAnswer::all(composed, asked).into_iter().map(Answer::Tool));
        answers.extend(EventAnswer::all(composed, asked).into_iter().map(Answer::Event));
        answers.extend(FieldAnswer::find(composed, asked).map(Answer::Field));
        if answers.is_empty() {
            return Err(Unknown::new(composed, asked));
        }
        Ok(Self { asked: asked.to_owned(), profile: composed.plan.profile.clone(), answers })
    }
}

impl Answer {
    fn kind(&self) -> &'static str {
        match self {
            Self::Row(_) => "a row",
            Self::Service(_) => "a service",
            Self::Tool(_) => "a tool",
            Self::Event(_) => "an event",
            Self::Field(_) => "a field",
        }
    }
}

/// For readers, with a line break at the end.
impl Display for Why {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.answers.len() > 1 {
            let mut kinds: Vec<&str> = self.answers.iter().map(Answer::kind).collect();
            kinds.dedup();
            writeln!(out, "`{}` is {} of profile {}\n", self.asked, kinds.join(" and "), self.profile)?;
        }
        for (at, answer) in self.answers.iter().enumerate() {
            if at > 0 {
                writeln!(out)?;
            }
            match answer {
                Answer::Row(row) => row.fmt(out)?,
                Answer::Service(service) => service.fmt(out)?,
                Answer::Tool(tool) => tool.fmt(out)?,
                Answer::Event(event) => event.fmt(out)?,
                Answer::Field(field) => field.fmt(out)?,
            }
        }
        Ok(())
    }
}

fn write_users(out: &mut fmt::Formatter<'_>, users: &[User]) -> fmt::Result {
    if users.is_empty() {
        return writeln!(out, "  needed by no row");
    }
    writeln!(out, "  needed by:")?;
    for user in users {
        writeln!(out, "    {}, for {}{}", user.row, user.service, if user.optional { " (optional)" } else { "" })?;
    }
    Ok(())
}

fn write_losses(out: &mut fmt::Formatter<'_>, losses: &[Loss]) -> fmt::Result {
    if losses.is_empty() {
        return writeln!(out, "  without it: no row loses a service that it requires");
    }
    writeln!(out, "  without it:")?;
    for loss in losses {
        let through = match loss.through.as_slice() {
            [_] | [] => String::new(),
            chain => format!(" (through {})", chain.join(" → ")),
        };
        writeln!(out, "    {} loses {}, which it requires{through}", loss.row, loss.service)?;
    }
    Ok(())
}
