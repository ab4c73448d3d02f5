//! Reading requests of HTTP/1.1, as far as clients of a model send them.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

/// Longest line of a head, and most lines of one.
const MAX_LINE: u64 = 64 * 1024;
const MAX_HEADERS: usize = 200;
/// Longest body.
const MAX_BODY: u64 = 256 * 1024 * 1024;

/// A request.
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

/// The next request of a connection; `None` when the client closed it.
pub(super) async fn read_request(reader: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Request>> {
    let Some(first) = read_line(reader).await? else { return Ok(None) };
    let mut words = first.split(' ');
    let (Some(method), Some(path), Some("HTTP/1.1")) = (words.next(), words.next(), words.next()) else {
        return Err(invalid("the request line is none of HTTP/1.1"));
    };
    let mut headers = Vec::new();
    loop {
        let line = read_line(reader).await?.ok_or_else(|| invalid("the head ends early"))?;
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').ok_or_else(|| invalid("a header has no colon"))?;
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        if headers.len() > MAX_HEADERS {
            return Err(invalid("the head is too long"));
        }
    }
    let body = read_body(reader, &headers).await?;
    Ok(Some(Request { method: method.to_owned(), path: path.to_owned(), headers, body }))
}

async fn read_body(reader: &mut (impl AsyncBufRead + Unpin), headers: &[(String, String)]) -> io::Result<Vec<u8>> {
    let header = |wanted: &str| headers.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str());
    let mut body = Vec::new();
    if header("transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
        loop {
            let line = read_line(reader).await?.ok_or_else(|| invalid("the body ends early"))?;
            let size =
                u64::from_str_radix(line.split(';').next().unwrap_or_default().trim(), 16).map_err(|_| invalid("a chunk has no size"))?;
            read_exactly(reader, size, &mut body).await?;
            // After the last chunk come trailers, of which clients send none, and an empty line.
            read_line(reader).await?;
            if size == 0 {
                return Ok(body);
            }
        }
    }
    let length = header("content-length").map_or(Ok(0), str::parse).map_err(|_| invalid("`content-length` is no number"))?;
    read_exactly(reader, length, &mut body).await?;
    Ok(body)
}

async fn read_exactly(reader: &mut (impl AsyncBufRead + Unpin), size: u64, body: &mut Vec<u8>) -> io::Result<()> {
    if size > MAX_BODY.saturating_sub(body.len() as u64) {
        return Err(invalid("the body is too long"));
    }
    if (reader.take(size).read_to_end(body).await? as u64) < size { Err(invalid("the body ends early")) } else { Ok(()) }
}

/// A line without its end; `None` at the end of input.
async fn read_line(reader: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    if reader.take(MAX_LINE).read_until(b'\n', &mut line).await? == 0 {
        return Ok(None);
    }
    let line = line.strip_suffix(b"\r\n").ok_or_else(|| invalid("a line has no end"))?;
    String::from_utf8(line.to_vec()).map(Some).map_err(|_| invalid("a line is not UTF-8"))
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
