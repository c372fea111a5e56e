/// Random numbers that are the same on every run: SplitMix64 (Steele, Lea and Flood 2014).
package struct SplitMix: RandomNumberGenerator {
    @usableFromInline var state: UInt64

    /// The numbers of a seed.
    package init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    @inlinable
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to a count, which is not included.
    package mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

    /// A number in 0…1, 1 not included.
    package mutating func fraction() -> Double { Double(next() >> 11) / 0x1p53 }

    /// One of several values.
    package mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: values.indices, using: &self)] }
}
