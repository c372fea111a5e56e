import Foundation
import PluginKit
import Testing

@testable import SyncPlugin

/// Versions, intents and names as they are stored.
struct CodingTests {
    private func version(_ random: inout Xoshiro256) -> Version {
        var version = Version(incarnation: UInt32(random.next() % 300))
        for index in 0..<Int(random.next() % 12) {
            let value: FieldValue =
                switch random.next() % 6 {
                case 0: .absent
                case 1: .integer(Int64(bitPattern: random.next()))
                case 2: .number(Double(random.next() % 1_000) / 7)
                case 3: .text(String(repeating: "é", count: Int(random.next() % 200)))
                case 4: .bytes([UInt8](repeating: 7, count: Int(random.next() % 2_000)))
                default: .blob(BlobReference(high: random.next(), low: random.next(), size: 5))
                }
            // Few stamps, so that neighbours often share one.
            let stamp = Stamp(time: random.next() % 3, device: random.next() % 2)
            version.fields.append(Field(key: "k\(10 + index)", value: value, stamp: stamp))
        }
        return version
    }

    @Test func versionsComeBack() {
        var random = Xoshiro256(seed: 3)
        for _ in 0..<2_000 {
            let version = version(&random)
            #expect(VersionCoding.version(VersionCoding.bytes(version)) == version)
        }
    }

    /// The format of the first release, which PostgreSQL still gets.
    @Test func theFirstFormatIsRead() {
        var random = Xoshiro256(seed: 6)
        for _ in 0..<500 {
            let version = version(&random)
            let bytes = VersionCoding.bytes(version, format: .first)
            #expect(VersionCoding.version(bytes) == version)
            #expect(bytes.first == 1)
        }
        let stamp = Stamp(time: 0x0102, device: 3)
        let written = VersionCoding.bytes(
            Version(fields: [Field(key: "a", value: .text("x"), stamp: stamp)]), format: .first)
        let zeros = [UInt8](repeating: 0, count: 16)
        #expect(
            written == [1, 1, 0] + zeros + [
                1, 1, 97, 3, 1, 120, 2, 1, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0,
            ])
    }

    @Test func whatTheLinkKnowsComesBack() {
        var random = Xoshiro256(seed: 9)
        for mark in [nil, HistoryMark(number: 7, hash: random.next())] {
            var trace = LinkTrace(mark: mark)
            trace.see(version(&random))
            let bytes = LinkCoding.bytes(trace)
            #expect(bytes.withUnsafeBytes { LinkCoding.trace($0) } == trace)
            #expect(bytes.dropLast().withUnsafeBytes { LinkCoding.trace($0) } == nil)
        }
        // An item that an older version queued, or a state that it kept, says nothing about the cloud's history.
        var old = LinkTrace()
        old.see(version(&random))
        var bytes = Array(LinkCoding.bytes(old).dropLast())
        bytes[0] = 2
        #expect(bytes.withUnsafeBytes { LinkCoding.trace($0) } == old)
    }

    @Test func fieldsOutOfOrderAreRefused() {
        for keys in [["b", "a"], ["a", "a"]] {
            let fields = keys.map { Field(key: $0, value: .absent, stamp: .none) }
            #expect(VersionCoding.version(VersionCoding.bytes(Version(fields: fields))) == nil)
        }
    }

    @Test func intentsComeBack() throws {
        var random = Xoshiro256(seed: 4)
        var intents: [RecordKey: Intent] = [:]
        for index in 0..<300 {
            let name = RecordName(high: random.next(), low: random.next())
            let row = version(&random).fields.map { RowField(key: $0.key, value: $0.value) }
            intents[RecordKey(type: RecordType.known[index % 3], name: name)] = Intent(
                before: index % 2 == 0 ? row : nil, commit: Int64(index))
        }
        let bytes = IntentCoding.bytes(intents)
        #expect(bytes.withUnsafeBytes { IntentCoding.intents($0) } == intents)
        for length in stride(from: 0, to: bytes.count, by: 97) {
            #expect(bytes.prefix(length).withUnsafeBytes { IntentCoding.intents($0) } == nil)
        }
    }

    @Test func namesComeBackInEitherCase() {
        var random = Xoshiro256(seed: 5)
        for _ in 0..<500 {
            let name = RecordName(high: random.next(), low: random.next())
            #expect(name.text == name.id.uuidString)
            #expect(RecordName(text: name.text) == name)
            #expect(RecordName(text: name.lowercaseText) == name)
        }
        for text in ["", "x", String(repeating: "0", count: 36), "00000000-0000-0000-0000-00000000000g"] {
            #expect(RecordName(text: text) == nil)
        }
    }
}
