//! Claims about messages and datagrams.

use proptest::prelude::*;

use super::super::datagram::{Cutter, Gatherer};
use super::*;
use crate::transport::aal5::Encapsulation;

const ALL: [Procedure; 4] =
    [Procedure::Lookup, Procedure::GetAttributes, Procedure::Read, Procedure::Write];

fn message(procedure: Procedure, data: u32, is_reply: bool) -> Message {
    Message { xid: 7, datagram: 0, data, fragment: 0, is_last: false, is_reply, procedure }
}

/// The IP packets of a message.
fn packets(mtu: u32, message: Message) -> Vec<u32> {
    let mut cutter = Cutter::new(mtu);
    cutter.begin(message);
    std::iter::from_fn(|| cutter.next(None).map(|_| cutter.send().0.bytes)).collect()
}

/// Claim [RFC1057], [RFC1094] (counted field by field): calls of 112 bytes, GETATTR of 100; replies
/// of 128, 96, and 100 + data for READ. With UDP and IP, 28 more; in cells of AAL5 with LLC/SNAP:
/// an 8-kB reply 174, its call 4, LOOKUP 4 and 4, GETATTR 3 and 3.
#[test]
fn messages_have_their_length() {
    let calls = ALL.map(|procedure| procedure.call_bytes(8_192));
    let replies = ALL.map(|procedure| procedure.reply_bytes(8_192));
    assert_eq!(calls, [112, 100, 112, 8_308]);
    assert_eq!(replies, [128, 96, 8_292, 96]);
    // XDR pads to 4 bytes.
    assert_eq!(Procedure::Read.reply_bytes(3_615), 3_716);
    let cells = |bytes| Encapsulation::LlcSnap.cells(bytes + 28);
    assert_eq!(calls.map(cells), [4, 3, 4, 174]);
    assert_eq!(replies.map(cells), [4, 3, 174, 3]);
    assert!(size_of::<Message>() <= 20);
}

/// Claim [RFC791] (by hand): a READ reply of 8,292 bytes is a datagram of 8,300. At MTU 9,180 that
/// is one packet of 8,320; at 1,500, five of 20 + 1,480 = 1,500 and one of 20 + 900; at 1,501 the
/// same (1,481 is no multiple of 8).
#[test]
fn a_long_datagram_is_cut_into_packets() {
    let reply = message(Procedure::Read, 8_192, true);
    assert_eq!(packets(9_180, reply), [8_320]);
    assert_eq!(packets(1_500, reply), [1_500, 1_500, 1_500, 1_500, 1_500, 920]);
    assert_eq!(packets(1_501, reply), packets(1_500, reply));
    // A last packet need not be a multiple of 8: 8 + 100 + 1,372 = 1,480 fits, 4 more do not.
    assert_eq!(packets(1_500, message(Procedure::Read, 1_372, true)), [1_500]);
    assert_eq!(packets(1_500, message(Procedure::Read, 1_376, true)), [1_500, 24]);
}

proptest! {
    /// Claim: the packets of a datagram carry its bytes, none is above the MTU, all but the last
    /// are multiples of 8; it is whole exactly if all of them arrived, whatever else was lost.
    #[test]
    fn datagrams_are_whole_or_nothing(
        datas in prop::collection::vec(0_u32..8_193, 1..8),
        mtu in 576_u32..3_000,
        losses in prop::collection::vec(any::<bool>(), 200),
        chance in 0_u8..3,
    ) {
        let mut cutter = Cutter::new(mtu);
        let mut gatherer = Gatherer::default();
        let mut losses = losses.into_iter().cycle().enumerate();
        for (xid, data) in (0..).zip(datas) {
            let message = Message { xid, ..message(Procedure::Read, data, true) };
            prop_assert_eq!(cutter.next(None), None);
            cutter.begin(message);
            let (mut bytes, mut is_any_lost, mut is_whole) = (0, false, false);
            while let Some(size) = cutter.next(None) {
                let (packet, sent) = cutter.send();
                prop_assert_eq!(packet.bytes, size);
                prop_assert!(size <= mtu);
                prop_assert!(sent.is_last || (size - 20) % 8 == 0);
                prop_assert_eq!(sent.xid, xid);
                bytes += size - 20;
                // No loss, losses by a random bit, or two of three of these.
                let (count, coin) = losses.next().expect("it goes round");
                if coin && usize::from(chance) * count % 3 != 0 {
                    is_any_lost = true;
                } else {
                    prop_assert!(!is_whole);
                    is_whole = gatherer.take(sent);
                }
            }
            prop_assert_eq!(bytes, 8 + message.bytes());
            prop_assert_eq!(is_whole, !is_any_lost);
        }
    }
}
