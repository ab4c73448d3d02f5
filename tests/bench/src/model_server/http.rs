//! Reading requests of HTTP/1.1.

use std::io::{self, BufRead, Read};

/// A request without its body.
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
}

/// Reads the next request and its body; `None` when the client closed the connection.
pub(super) fn read_request(reader: &mut impl BufRead, body: &mut Vec<u8>) -> io::Result<Option<Request>> {
    let first = line(reader)?;
    if first.is_empty() {
        return Ok(None);
    }
    let mut words = first.split(' ');
    let request = Request { method: words.next().unwrap_or_default().to_owned(), path: words.next().unwrap_or_default().to_owned() };
    let (mut length, mut chunked) = (0, false);
    loop {
        let header = line(reader)?;
        let Some((name, value)) = header.split_once(':') else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().map_err(invalid)?;
        }
        chunked |= name.eq_ignore_ascii_case("transfer-encoding");
    }
    body.clear();
    if !chunked {
        take(reader, length, body)?;
        return Ok(Some(request));
    }
    loop {
        let size = u64::from_str_radix(line(reader)?.trim(), 16).map_err(invalid)?;
        take(reader, size, body)?;
        line(reader)?;
        if size == 0 {
            return Ok(Some(request));
        }
    }
}

fn take(reader: &mut impl BufRead, size: u64, body: &mut Vec<u8>) -> io::Result<()> {
    reader.take(size).read_to_end(body).map(drop)
}

/// A line without its end; empty at the end of input too.
fn line(reader: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    line.truncate(line.trim_end().len());
    Ok(line)
}

fn invalid(error: std::num::ParseIntError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}
