import Foundation
import PluginKit
import Testing

/// Known answers, computed with a Python program of our own from the published definitions: SplitMix64 (Steele,
/// Lea and Flood, 2014) fills the state of xoshiro256** (Blackman and Vigna, 2018).
@Suite struct RandomSourceTests {
    static let answers: [(seed: UInt64, words: [UInt64])] = [
        (0, [0x99ec_5f36_cb75_f2b4, 0xbf6e_1f78_4956_452a, 0x1a5f_849d_4933_e6e0, 0x6aa5_94f1_262d_2d2c]),
        (1, [0xb3f2_af6d_0fc7_10c5, 0x853b_5596_4736_4cea, 0x92f8_9756_082a_4514, 0x642e_1c7b_c266_a3a7]),
        (42, [0x1578_0b2e_0c2e_c716, 0x6104_d986_6d11_3a7e, 0xae17_5332_39e4_99a1, 0xecb8_ad47_03b3_60a1]),
        (
            .max,
            [0x8f55_20d5_2a7e_ad08, 0xc476_a018_caa1_802d, 0x81de_31c0_d260_469e, 0xbf65_8d7e_065f_3c2f]
        ),
    ]

    @Test("known answers of xoshiro256** for four seeds", arguments: answers)
    func knownAnswers(seed: UInt64, words: [UInt64]) {
        var generator = Xoshiro256(seed: seed)
        #expect(words == (0..<4).map { _ in generator.next() })
        let source = RandomSource(seed: seed)
        #expect(words == (0..<4).map { _ in source.next() })
    }

    @Test("uniform numbers and identifiers of seed 42")
    func derived() {
        let source = RandomSource(seed: 42)
        #expect(
            (0..<3).map { _ in source.uniform() }
                == [0.08386297105988216, 0.3789802506626686, 0.6800434110281394])
        source.reseed(42)
        #expect(source.uuid().uuidString == "15780B2E-0C2E-4716-A104-D9866D113A7E")
    }

    @Test("an identifier is of version 4 and variant 1, whatever the bits")
    func versions() {
        let source = RandomSource(seed: 7)
        for _ in 0..<500 {
            let text = Array(source.uuid().uuidString)
            #expect(text[14] == "4")
            #expect("89AB".contains(text[19]))
        }
    }

    @Test("a fork is determined by the seed and leaves one step in the session's sequence")
    func fork() {
        let source = RandomSource(seed: 42)
        var forked = source.fork()
        let after = source.next()
        let plain = RandomSource(seed: 42)
        var expected = Xoshiro256(seed: plain.next())
        #expect(forked.next() == expected.next())
        #expect(after == plain.next())
    }
}
