/// The 64-bit hash FNV-1a (Fowler, Noll and Vo, http://www.isthe.com/chongo/tech/comp/fnv/): identifies
/// non-adversarial content, the same on every machine and in every process.
public enum FNV1a {
    /// The hash of no bytes.
    public static let start: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The hash of bytes, continuing from another hash.
    @inlinable
    public static func hash(_ bytes: some Sequence<UInt8>, from start: UInt64 = FNV1a.start) -> UInt64 {
        bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
