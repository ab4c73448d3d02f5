//! The lines that a session keeps.

use dsh_terminal::{Page, Scrollback, ScrollbackLimits};

fn scrollback(lines: usize, bytes: usize, text: &str) -> Scrollback {
    let mut scrollback = Scrollback::new(ScrollbackLimits { lines, bytes });
    scrollback.push(text.as_bytes());
    scrollback
}

fn page(text: &str, offset: u64, lines: u64, total: u64) -> Page {
    Page { text: text.to_owned(), offset, lines, total, truncated: false }
}

#[test]
fn pages_are_counted_from_the_newest_line() {
    let kept = scrollback(100, 1000, "one\ntwo\nthree\nfour\n");
    assert_eq!(kept.page(0, 2, 100), page("three\nfour", 0, 2, 4));
    assert_eq!(kept.page(1, 2, 100), page("two\nthree", 1, 2, 4));
    assert_eq!(kept.page(3, 500, 100), page("one", 3, 1, 4));
    assert_eq!(kept.page(4, 500, 100), page("", 4, 0, 4));
    assert_eq!(kept.page(u64::MAX, u64::MAX, 100), page("", u64::MAX, 0, 4));
    assert_eq!(kept.page(0, 0, 100), page("", 0, 0, 4));
    assert_eq!(scrollback(10, 100, "").page(0, 5, 100), page("", 0, 0, 0));
    assert_eq!(scrollback(10, 100, "a\nprompt> ").page(0, 5, 100), page("a\nprompt> ", 0, 2, 2));
}

#[test]
fn a_page_is_cut_at_a_whole_character() {
    let kept = scrollback(100, 1000, "aé€\u{1f600}z");
    for (bytes, text) in [(100, "aé€\u{1f600}z"), (9, "€\u{1f600}z"), (8, "€\u{1f600}z"), (7, "\u{1f600}z"), (4, "z"), (1, "z"), (0, "")]
    {
        let cut = kept.page(0, 1, bytes);
        assert_eq!((cut.text.as_str(), cut.truncated), (text, bytes < 11), "{bytes} bytes");
    }
}

#[test]
fn old_lines_go_when_there_are_too_many() {
    let text: String = (0..100).map(|number| format!("line {number}\n")).collect();
    let kept = scrollback(10, 10_000, &text);
    // The line that is being written counts as one.
    assert_eq!(kept.page(0, 100, 10_000).total, 9);
    assert_eq!(kept.page(8, 1, 100).text, "line 91");
    let kept = scrollback(1000, 50, &text);
    assert_eq!(kept.page(0, 100, 1000).text, "line 94\nline 95\nline 96\nline 97\nline 98\nline 99");
}

#[test]
fn one_endless_line_is_bounded() {
    let mut kept = scrollback(10, 1000, "");
    let start = kept.end();
    for _ in 0..100 {
        kept.push(&[b'x'; 99]);
        kept.push(b"y");
    }
    let text = kept.page(0, 1, 10_000).text;
    assert!(text.len() <= 1000 && text.ends_with("xxxy"), "{}", text.len());
    let (text, truncated) = kept.since(start, 100_000);
    assert!(truncated && text.len() <= 1000);
    let here = kept.end();
    kept.push(b"more\nlast");
    assert_eq!(kept.since(here, 100), ("more\nlast".to_owned(), false));
    assert_eq!(kept.since(here, 4), ("last".to_owned(), true));
    assert_eq!(kept.since(kept.end(), 100), (String::new(), false));
}
