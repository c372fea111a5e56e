import Foundation
import Synchronization

/// The session's random numbers: the same seed produces the same numbers on every machine.
///
/// Generator: xoshiro256** (Blackman and Vigna, 2018), its state filled from the seed by SplitMix64.
public final class RandomSource: Sendable {
    private let state: Mutex<Xoshiro256>

    /// A source that starts from a seed.
    public init(seed: UInt64) { state = Mutex(Xoshiro256(seed: seed)) }

    /// Starts again from a seed.
    public func reseed(_ seed: UInt64) { state.withLock { $0 = Xoshiro256(seed: seed) } }

    /// The current state, for restoring.
    public var present: Xoshiro256 { state.withLock { $0 } }

    /// Restores a state.
    public func restore(_ generator: Xoshiro256) { state.withLock { $0 = generator } }

    /// The next 64 bits.
    public func next() -> UInt64 { state.withLock { $0.next() } }

    /// A number in 0 ≤ x < 1, with 53 bits.
    public func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// A separate generator, seeded by the next 64 bits; its numbers do not advance the session's sequence.
    public func fork() -> Xoshiro256 { Xoshiro256(seed: next()) }

    /// A random UUID (version 4, RFC 9562).
    public func uuid() -> UUID {
        let (high, low) = state.withLock { ($0.next(), $0.next()) }
        var bytes = [UInt8]()
        for word in [high, low] {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

/// A generator as a value, for the standard library's random functions.
public struct Xoshiro256: RandomNumberGenerator, Sendable {
    private var s: (UInt64, UInt64, UInt64, UInt64)

    /// A generator that starts from a seed.
    public init(seed: UInt64) {
        var mixer = seed
        func mix() -> UInt64 {
            mixer &+= 0x9e37_79b9_7f4a_7c15
            var z = mixer
            z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return z ^ (z >> 31)
        }
        s = (mix(), mix(), mix(), mix())
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        let product = s.1 &* 5
        let result = ((product << 7) | (product >> 57)) &* 9
        let t = s.1 << 17
        s.2 ^= s.0
        s.3 ^= s.1
        s.1 ^= s.2
        s.0 ^= s.3
        s.2 ^= t
        s.3 = (s.3 << 45) | (s.3 >> 19)
        return result
    }
}
