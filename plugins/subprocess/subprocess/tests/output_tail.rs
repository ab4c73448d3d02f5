//! The byte tail of a collected stream.

use dsh_subprocess::{OutputTail, TailRead};

#[test]
fn everything_is_kept_while_it_fits() {
    let tail = OutputTail::new(8);
    tail.append(b"abc");
    tail.append(b"de");
    assert_eq!(tail.read_from(0), TailRead { bytes: b"abcde".to_vec(), next_offset: 5, lossy: false });
    assert_eq!(tail.read_from(3), TailRead { bytes: b"de".to_vec(), next_offset: 5, lossy: false });
    assert_eq!(tail.read_from(5), TailRead { bytes: Vec::new(), next_offset: 5, lossy: false });
    assert_eq!(tail.read_from(99), TailRead { bytes: Vec::new(), next_offset: 5, lossy: false });
}

#[test]
fn the_tail_is_exact_at_every_size_of_piece() {
    let stream: Vec<u8> = (0..1000_u32).map(|number| u8::try_from(number % 251).expect("below 251")).collect();
    for piece in [1, 3, 7, 8, 15, 16, 17, 400] {
        let tail = OutputTail::new(8);
        for chunk in stream.chunks(piece) {
            tail.append(chunk);
        }
        assert_eq!(tail.read_from(0), TailRead { bytes: stream[992..].to_vec(), next_offset: 1000, lossy: true }, "pieces of {piece}");
        assert_eq!(tail.read_from(992), TailRead { bytes: stream[992..].to_vec(), next_offset: 1000, lossy: false });
        assert_eq!(tail.read_from(996), TailRead { bytes: stream[996..].to_vec(), next_offset: 1000, lossy: false });
    }
}

#[test]
fn a_tail_of_nothing_counts_only() {
    let tail = OutputTail::new(0);
    tail.append(b"abc");
    assert_eq!(tail.read_from(0), TailRead { bytes: Vec::new(), next_offset: 3, lossy: true });
}
