import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit
import Testing

@testable import Workbench

@Suite("Properties of the data commands, on random values")
struct DataPropertyTests {
    private static let rounds = 300

    @Test("JSON that was written reads back the same", arguments: [true, false])
    func jsonRoundTrip(compact: Bool) throws {
        var random = ValueMaker(seed: 7)
        for round in 0..<Self.rounds {
            let value = random.value(depth: 4)
            let text = try written(value, .json, compact: compact)
            let read = try jsonValue(Array(text.utf8))
            #expect(try ValueKey(read) == ValueKey(value), "round \(round): \(text)")
            #expect(try written(read, .json, compact: compact) == text, "round \(round)")
            // Foundation reads it too: an independent oracle.
            let data = Data(text.utf8)
            #expect(throws: Never.self) {
                try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
            }
        }
    }

    @Test("CSV that was written reads back the same: columns of every kind, quotes carrying the text")
    func csvRoundTrip() throws {
        var random = ValueMaker(seed: 11)
        for round in 0..<Self.rounds {
            let columns = (1...Int.random(in: 2...5, using: &random.generator)).map { "c\($0)" }
            let kinds = columns.map { _ in Int.random(in: 0...5, using: &random.generator) }
            let rows = (0..<Int.random(in: 0...6, using: &random.generator)).map { _ in
                kinds.map { random.cell(of: $0) }
            }
            let text = try written(.table(columns: columns, cells: rows), .csv)
            let bytes = Array(text.utf8)
            let source = CSVSource(
                bytes: DataBytes(bytes), origin: TextOrigin(file: nil),
                options: CSVOptions(separator: UInt8(ascii: ","), keepsQuotedText: true))
            let read = try Rows(try source.rows(), for: "test")
            #expect(read.columns == columns)
            let cells = try read.collect().map { row in
                try columns.map { try ValueKey(row.field($0) ?? .nothing) }
            }
            #expect(try cells == rows.map { try $0.map(ValueKey.init) }, "round \(round): \(text)")
        }
    }

    @Test("sort is a stable order of the same rows")
    func sortIsStable() async throws {
        var random = ValueMaker(seed: 13)
        for _ in 0..<20 {
            let rows = (0..<200).map { index in
                "{\"k\":\(Int.random(in: 0...9, using: &random.generator)),\"i\":\(index)}"
            }
            let data = try DataSession(files: ["r.json": "[\(rows.joined(separator: ","))]"])
            for flag in ["", " --descending"] {
                let sorted = try Rows(try await data.value("open r.json | sort k\(flag)"), for: "test")
                    .collect()
                #expect(sorted.count == rows.count)
                for (a, b) in zip(sorted, sorted.dropFirst()) {
                    let (first, second) = (a.field("k")?.asNumber ?? 0, b.field("k")?.asNumber ?? 0)
                    #expect(flag.isEmpty ? first <= second : first >= second)
                    if first == second {
                        #expect((a.field("i")?.asNumber ?? 0) < (b.field("i")?.asNumber ?? 0))
                    }
                }
            }
        }
    }

    @Test("damaged JSON and CSV end in an error of ours, never in a crash")
    func damagedText() throws {
        var random = ValueMaker(seed: 17)
        for _ in 0..<Self.rounds {
            var bytes = Array(try written(random.value(depth: 3), .json).utf8)
            for _ in 0..<3 where !bytes.isEmpty {
                let place = Int.random(in: bytes.indices, using: &random.generator)
                if Bool.random(using: &random.generator) {
                    bytes.remove(at: place)
                } else {
                    bytes[place] = UInt8.random(in: 0...255, using: &random.generator)
                }
            }
            let damaged = bytes
            do {
                _ = try jsonValue(damaged)
            } catch {
                #expect(error is RutterError)
            }
            do {
                let source = CSVSource(
                    bytes: DataBytes(damaged), origin: TextOrigin(file: nil))
                _ = try Rows(try source.rows(), for: "test").collect()
            } catch {
                #expect(error is RutterError)
            }
        }
    }

    private func written(_ value: Value, _ format: DataFormat, compact: Bool = true) throws -> String {
        let sink = TextSink()
        try format.writer(.notebook, compact: compact).write(value, to: sink)
        return sink.text
    }
}

/// Makes random values from a seed.
private struct ValueMaker {
    var generator: Xoshiro256

    init(seed: UInt64) { generator = Xoshiro256(seed: seed) }

    mutating func value(depth: Int) -> Value {
        switch Int.random(in: 0...(depth > 0 ? 6 : 4), using: &generator) {
        case 0: return .nothing
        case 1: return .boolean(Bool.random(using: &generator))
        case 2:
            return .integer(
                Int(truncatingIfNeeded: generator.next()) >> Int.random(in: 0...63, using: &generator))
        case 3: return number()
        case 4: return .text(text())
        case 5:
            return .list((0..<Int.random(in: 0...4, using: &generator)).map { _ in value(depth: depth - 1) })
        default:
            return .record(
                Record(
                    (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                        (text(), value(depth: depth - 1))
                    }))
        }
    }

    /// A cell of a column of one kind, sometimes missing.
    mutating func cell(of kind: Int) -> Value {
        if Int.random(in: 0...3, using: &generator) == 0 { return .nothing }
        switch kind {
        case 0: return .integer(Int.random(in: -1000...1000, using: &generator))
        case 1: return number()
        case 2: return .boolean(Bool.random(using: &generator))
        case 3:
            return .date(
                Timestamp(
                    milliseconds: Int64.random(in: -60_000_000_000_000...4_000_000_000_000, using: &generator)
                ))
        case 4:
            return .coordinate(
                Coordinate(
                    latitude: Double.random(in: -90...90, using: &generator),
                    longitude: Double.random(in: -180...180, using: &generator)))
        default: return .text(text())
        }
    }

    private mutating func number() -> Value {
        let number = Double(bitPattern: generator.next())
        return number.isFinite ? .number(number) : .number(0.5)
    }

    private mutating func text() -> String {
        let pieces = [
            "a", "é", "😀", "\"", "\\", ",", "\n", "\r", "\r\n", "12", " ", "\t", "'", "e\u{301}", "\u{7F}",
            "|",
        ]
        return (0..<Int.random(in: 0...5, using: &generator)).map { _ in
            pieces.randomElement(using: &generator) ?? ""
        }
        .joined()
    }
}
