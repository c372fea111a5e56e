/// A fast 64-bit hash of contents, the same on every machine. It detects accidental differences, not attacks.
///
/// The mixing step is the finalizer of SplitMix64 (Steele, Lea and Flood 2014).
package enum ContentHash {
    package static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        var mixed = (hash ^ word) &+ 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// The hash of bytes, eight at a time, and of their count.
    package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        var hash = mix(seed, UInt64(bytes.count))
        var index = 0
        while index + 8 <= bytes.count {
            hash = mix(
                hash, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            index += 8
        }
        var rest: UInt64 = 0
        var shift: UInt64 = 0
        while index < bytes.count {
            rest |= UInt64(bytes[index]) << shift
            shift += 8
            index += 1
        }
        return shift == 0 ? hash : mix(hash, rest)
    }
}
