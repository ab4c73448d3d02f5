//! Writing to the standard streams.

use std::io;
use std::sync::atomic::Ordering;

use dsh_runtime::Output;
use tokio::io::AsyncWriteExt;

use crate::records;
use crate::watch::{Progress, Shown};

/// Writes a text and makes sure that it is out.
///
/// # Errors
/// The stream's own.
pub(crate) async fn print(output: &mut Output, text: &str) -> io::Result<()> {
    output.write_all(text.as_bytes()).await?;
    output.flush().await
}

/// Tells a person something. Where nobody can be told, there is nothing else to do.
pub(crate) async fn tell(errors: &mut Output, text: &str) {
    if let Err(error) = print(errors, text).await {
        tracing::debug!(%error, text, "standard error cannot be written");
    }
}

/// Shows a run until nothing more comes, and hands the stream back with its first failure.
pub(crate) async fn show(mut stream: Output, mut progress: Progress) -> (Output, io::Result<()>) {
    let mut shown = Ok(());
    while let Some(text) = progress.texts.recv().await {
        // What comes after a failure is taken all the same, so that the run does not wait for room.
        if shown.is_ok() {
            shown = print(&mut stream, &text).await;
        }
    }
    let left_out = progress.left_out.load(Ordering::Relaxed);
    if left_out > 0 && shown.is_ok() {
        shown = match progress.shown {
            Shown::Records => print(&mut stream, &records::error(&format!("{left_out} records were left out"))).await,
            Shown::Steps | Shown::Nothing => print(&mut stream, &format!("… {left_out} more steps were not shown\n")).await,
        };
    }
    (stream, shown)
}

/// The text without what would act on a terminal instead of being shown by it.
pub(crate) fn printable(text: &str) -> String {
    let shown = |character: char| match character {
        '\r' => None,
        '\n' | '\t' => Some(character),
        character if character.is_control() => Some('\u{fffd}'),
        character => Some(character),
    };
    text.chars().filter_map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(printable("a\u{1b}[31mb\r\n\tc\u{7}"), "a\u{fffd}[31mb\n\tc\u{fffd}");
    }
}
