//! [`is_public`]: whether an IP address is one of the public internet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an IP address belongs to the public internet: not to this machine, a private or shared network, a
/// link, a group, an example, or a form of IPv6 that hides an IPv4 address.
///
/// ```
/// use leg_fetch::is_public;
///
/// assert!(is_public("137.75.85.10".parse()?));
/// for inside in ["127.0.0.1", "10.0.0.1", "169.254.169.254", "100.64.0.1", "::1", "::ffff:8.8.8.8", "fd00::1"] {
///     assert!(!is_public(inside.parse()?), "{inside}");
/// }
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
///
/// # Source
/// The special-purpose registries of IANA (RFC 6890 and its updates).
pub const fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

const fn is_public_v4(address: Ipv4Addr) -> bool {
    !matches!(
        address.octets(),
        [0 | 10 | 127 | 224..=255, ..]       // this network, private, loopback, groups, reserved and broadcast
            | [100, 64..=127, ..]            // shared by the customers of a carrier
            | [169, 254, ..]                 // one link
            | [172, 16..=31, ..]             // private
            | [192, 168, ..]                 // private
            | [192, 0, 0 | 2, _]             // assignments of protocols, examples
            | [192, 88, 99, _]               // relays of 6to4
            | [198, 18 | 19, ..]             // benchmarks
            | [198, 51, 100, _]              // examples
            | [203, 0, 113, _] // examples
    )
}

const fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // What a network without IPv4 makes of an IPv4 address: the address inside counts (RFC 6052).
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            let [[a, b], [c, d]] = [high.to_be_bytes(), low.to_be_bytes()];
            is_public_v4(Ipv4Addr::new(a, b, c, d))
        }
        // Assignments of protocols with Teredo, examples, 6to4.
        [0x2001, 0..=0x1ff | 0xdb8, ..] | [0x2002 | 0x3fff, ..] => false,
        // Global unicast; all else is loopback, mapped, local, a group or not assigned.
        [first, ..] => first >> 13 == 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_special_range_is_told_at_both_its_ends() {
        for special in [
            "0.0.0.0",
            "0.255.255.255",
            "10.0.0.0",
            "10.255.255.255",
            "100.64.0.0",
            "100.127.255.255",
            "127.0.0.0",
            "127.255.255.255",
            "169.254.0.0",
            "169.254.255.255",
            "172.16.0.0",
            "172.31.255.255",
            "192.0.0.0",
            "192.0.2.255",
            "192.88.99.1",
            "192.168.0.0",
            "192.168.255.255",
            "198.18.0.0",
            "198.19.255.255",
            "198.51.100.0",
            "203.0.113.255",
            "224.0.0.0",
            "239.255.255.255",
            "240.0.0.0",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "fc00::1",
            "fdff::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(special.parse().unwrap()), "{special}");
        }
        for public in [
            "1.0.0.0",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700::1111",
            "2001:4860::8888",
            "64:ff9b::8.8.8.8",
            "2a00::1",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
    }
}
