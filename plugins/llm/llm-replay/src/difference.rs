//! Where two requests differ first.

use dsh_json::JsonError;

use crate::asked::{Asked, Part};

/// How much of a text is quoted on each side of its first difference, in characters.
const QUOTED: usize = 40;

/// Paths of the recording and what stands for them now.
pub(crate) struct Folders {
    recorded: String,
    now: String,
}

impl Folders {
    /// The working folder of the recorded session, and that of the session that asks; unset when they are the same or one has none.
    pub(crate) fn new(recorded: Option<&str>, now: Option<&str>) -> Option<Self> {
        match (recorded, now) {
            (Some(recorded), Some(now)) if recorded != now && recorded != "/" => {
                Some(Self { recorded: inside(recorded), now: inside(now) })
            }
            _ => None,
        }
    }

    /// A JSON text of the recording as it reads in the present folder.
    pub(crate) fn moved(&self, text: &str) -> String {
        let mut pieces = text.split(self.recorded.as_str());
        let mut out = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            // Only whole names: `/w` is no part of `/work`.
            let goes_on = piece.starts_with(|next: char| next.is_alphanumeric() || matches!(next, '_' | '-' | '.'));
            out.push_str(if goes_on { &self.recorded } else { &self.now });
            out.push_str(piece);
        }
        out
    }
}

/// A text as it stands inside a JSON string.
fn inside(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// The first difference in words; none where both ask the same.
///
/// # Errors
/// When a request has no JSON form.
pub(crate) fn first(recorded: &Asked<'_>, now: &Asked<'_>, folders: Option<&Folders>) -> Result<Option<String>, JsonError> {
    let (mut recorded, mut now) = (recorded.parts(), now.parts());
    loop {
        let then = recorded.next().transpose()?.map(|Part { name, text }| match folders {
            Some(folders) => Part { name: folders.moved(&name), text: folders.moved(&text) },
            None => Part { name, text },
        });
        match (then, now.next().transpose()?) {
            (None, None) => return Ok(None),
            (Some(then), Some(now)) if then.name == now.name && then.text == now.text => {}
            (Some(then), Some(now)) if then.name == now.name => return Ok(Some(within(&then, &now.text))),
            (then, now) => return Ok(Some(format!("recorded is {}, now comes {}", told(then), told(now)))),
        }
    }
}

/// A part that only one side has.
fn told(part: Option<Part>) -> String {
    part.map_or_else(
        || "nothing more".to_owned(),
        |Part { name, text }| format!("{name}, {}", text.chars().take(2 * QUOTED).collect::<String>()),
    )
}

fn within(recorded: &Part, now: &str) -> String {
    let same = recorded.text.chars().zip(now.chars()).take_while(|(one, other)| one == other).count();
    let quote = |text: &str| text.chars().skip(same.saturating_sub(QUOTED)).take(2 * QUOTED).collect::<String>();
    format!("{}, from character {} on: recorded …{}…, now …{}…", recorded.name, same + 1, quote(&recorded.text), quote(now))
}

#[cfg(test)]
mod tests {
    use super::Folders;

    #[test]
    fn paths_move_with_their_folder_and_others_stay() {
        let folders = Folders::new(Some("/w"), Some("/a \"b\"")).unwrap();
        let moved = r#""/a \"b\"", "/a \"b\"/x", "/work", "/w-1", "cd /a \"b\" ""#;
        assert_eq!(folders.moved(r#""/w", "/w/x", "/work", "/w-1", "cd /w ""#), moved);
        assert!(Folders::new(Some("/w"), Some("/w")).is_none());
        assert!(Folders::new(None, Some("/w")).is_none());
        assert!(Folders::new(Some("/"), Some("/w")).is_none(), "every path holds it");
    }
}
