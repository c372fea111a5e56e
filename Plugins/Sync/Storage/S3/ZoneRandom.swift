import Synchronization

/// Random numbers that tell writers apart: names of objects that are not yet listed, and the mark of a commit,
/// by which its writer recognises it after a lost answer.
///
/// The session's generator must not be used: two sessions with one seed would draw the same numbers, and one
/// would take the commit of the other for its own. Tests give a seed of their own to each cloud.
package struct ZoneRandom: Sendable {
    /// Draws the next number.
    package let next: @Sendable () -> UInt64

    /// The system's generator.
    package static let system = ZoneRandom { UInt64.random(in: 0 ... .max) }

    /// A reproducible sequence.
    package static func seeded(_ seed: UInt64) -> ZoneRandom {
        let count = Sequence()
        return ZoneRandom { ContentHash.mix(seed, count.next()) }
    }

    /// A number from 0 up to 1.
    func share() -> Double { Double(next() >> 11) / Double(1 << 53) }

    private final class Sequence: Sendable {
        private let count = Mutex<UInt64>(0)
        func next() -> UInt64 {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }
}
