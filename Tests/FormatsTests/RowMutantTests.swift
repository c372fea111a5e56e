import Archives
import Core
import Foundation
import PluginTestKit
import Testing

@testable import Formats

/// Mutants of texts that are read as rows: JSON, CSV, sound.
struct RowMutantTests {
    @Test func texts() async throws {
        let objects = (0..<24).map { "{\"name\":\"N\($0)\",\"beds\":\($0 * 3),\"open\":[true,null,1.5]}" }
        let files = [
            MutableFile("a.json", whole: Array("[\(objects.joined(separator: ",\n"))]".utf8)),
            MutableFile("a.jsonl", whole: Array(objects.joined(separator: "\n").utf8)),
        ]
        try await MutantTrial(files) { bytes, name in
            do {
                return try JSONSource.read(
                    SourceBytes(bytes, name: name), check: {}, isSequence: name.hasSuffix("l")
                ) { tree in (tree.items ?? []).map { "\($0["name"]?.text ?? "")" } }
            } catch is JSONFault {
                return []
            }
        }.run()
    }

    /// A change in one row reaches another only by a quote, which makes the lines up to the next one a cell.
    @Test func tables() async throws {
        let rows = (0..<24).map { "N\($0),\($0 * 3),\"a, \($0)\"\n" }
        let file = MutableFile("a.csv", whole: Array(("name,beds,note\n" + rows.joined()).utf8))
        try await MutantTrial([file]) { bytes, _ in
            let tokens = try CSVTokenizer(CSVDialect(), bytes: bytes)
            var found: [String] = []
            while true {
                do {
                    guard try tokens.next() else { break }
                    found.append(
                        (0..<tokens.count).map { String(decoding: tokens[$0], as: UTF8.self) }.joined())
                } catch is CSVFault {
                    try tokens.skipLine()
                }
            }
            return found
        }.run()
    }

    @Test func sound() async throws {
        func little(_ value: UInt32, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
        }
        let format = Array("fmt ".utf8) + little(16, 4) + little(1, 2) + little(1, 2)
        let rates = little(8000, 4) + little(16_000, 4) + little(2, 2) + little(16, 2)
        let data = Array("data".utf8) + little(200, 4) + [UInt8](repeating: 7, count: 200)
        let body = Array("WAVE".utf8) + format + rates + data
        let wave = Array("RIFF".utf8) + little(UInt32(body.count), 4) + body
        try await MutantTrial([MutableFile("a.wav", whole: wave)]) { bytes, _ in
            _ = try? WAVReader.sound(Data(bytes))
            return []
        }.run()
    }
}
