//! Plain text out of terminal output, however it is cut into pieces.

use dsh_terminal::{EscapeFilter, TextSink};

#[derive(Default)]
struct Seen {
    text: Vec<u8>,
    commands: Vec<String>,
}

impl TextSink for Seen {
    fn text(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
    }

    fn command(&mut self, command: &[u8]) {
        self.commands.push(String::from_utf8_lossy(command).into_owned());
    }
}

fn filtered(output: &[u8], piece: usize) -> (String, Vec<String>) {
    let (mut filter, mut seen) = (EscapeFilter::default(), Seen::default());
    output.chunks(piece).for_each(|piece| filter.feed(piece, &mut seen));
    (String::from_utf8_lossy(&seen.text).into_owned(), seen.commands)
}

#[test]
fn sequences_vanish_and_text_stays() {
    for (output, text) in [
        (&b"plain\n"[..], "plain\n"),
        (b"\x1b[1;31mred\x1b[0m end", "red end"),
        (b"\x1b[?2004hpaste\x1b[?2004l", "paste"),
        (b"\x1b]0;title\x07after", "after"),
        (b"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        (b"\x1bPq#0;2\x1b\\image", "image"),
        (b"\x1b(Bset\x1b=keys\x1bM", "setkeys"),
        (b"a\rb\r\nc\n\rd", "a\nb\nc\n\nd"),
        (b"be\x07ll nu\0l", "bell nul"),
        (b"\x1b[12\x18cancelled", "cancelled"),
        (b"\x1b\x1b[1mtwice", "twice"),
        (b"\x1b[1\x1b[2mcut", "cut"),
        (b"\x1b]0;cut\x1b[1mnext", "next"),
        (b"\x1b]0;never ended\nnext line", "\nnext line"),
        (b"\x1b[never ended", "ever ended"),
        ("ümläut \u{1f600}".as_bytes(), "ümläut \u{1f600}"),
        (b"tab\tback\x08", "tab\tback\x08"),
        (b"\x1b[31", ""),
    ] {
        for piece in [1, 2, 3, 7, 4096] {
            assert_eq!(filtered(output, piece).0, text, "{:?} in pieces of {piece}", String::from_utf8_lossy(output));
        }
    }
}

#[test]
fn operating_system_commands_are_told() {
    let output = b"x\x1b]133;D;0\x07dsh> \x1b]0;title\x1b\\\x1b]cut\x1b[1m";
    for piece in [1, 5, 4096] {
        assert_eq!(filtered(output, piece), ("xdsh> ".to_owned(), vec!["133;D;0".to_owned(), "0;title".to_owned()]));
    }
    let long = [b"\x1b]", "y".repeat(10_000).as_bytes(), b"\x07end"].concat();
    let (text, commands) = filtered(&long, 100);
    assert_eq!((text.as_str(), commands.len()), ("end", 1));
    assert!(commands[0].len() < 1000);
}
