/// A fast checksum: four lanes of multiply and rotate, similar to but not the same as xxHash64.
package enum Checksum {
    private static let first: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let second: UInt64 = 0xC2B2_AE3D_27D4_EB4F

    package static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var (a, b, c, d) = (seed &+ first, seed ^ second, seed, seed &- first)
        var offset = 0
        if let base = bytes.baseAddress {
            while offset + 32 <= bytes.count {
                a = mix(a, base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                b = mix(b, base.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
                c = mix(c, base.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
                d = mix(d, base.loadUnaligned(fromByteOffset: offset + 24, as: UInt64.self))
                offset += 32
            }
        }
        while offset < bytes.count {
            a = mix(a, UInt64(bytes[offset]))
            offset += 1
        }
        return mix(mix(mix(mix(a, b), c), d), UInt64(bytes.count))
    }

    @inline(__always)
    private static func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
        let sum = state &+ word &* second
        return ((sum &<< 31) | (sum &>> 33)) &* first
    }
}
