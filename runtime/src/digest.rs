//! Digests of declarations. FNV-1a in 64 bits guards against accidents, not against attackers, and runs in `const`.

/// FNV-1a over bytes (offset basis and prime of the 64-bit variant as published by its authors).
#[must_use]
pub const fn fnv1a(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut at = 0;
    while at < bytes.len() {
        hash ^= bytes[at] as u64;
        hash = hash.wrapping_mul(0x0000_0100_0000_01b3);
        at += 1;
    }
    hash
}

/// Joins digests in order: FNV-1a over their little-endian bytes. The compiler joins by the same rule.
#[must_use]
pub const fn combine(parts: &[u64]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut part = 0;
    while part < parts.len() {
        let bytes = parts[part].to_le_bytes();
        let mut at = 0;
        while at < bytes.len() {
            hash ^= bytes[at] as u64;
            hash = hash.wrapping_mul(0x0000_0100_0000_01b3);
            at += 1;
        }
        part += 1;
    }
    hash
}
