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

    /// The format of the first release had a stamp with every field.
    @Test func theOldFormatIsRead() {
        let stamp = Stamp(time: 9, device: 4)
        let fields = [
            Field(key: "a", value: .text("x"), stamp: stamp),
            Field(key: "b", value: .integer(-1), stamp: stamp),
        ]
        #expect(
            VersionCoding.version(OldFormat.bytes(Version(incarnation: 2, fields: fields)))?.fields == fields)
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
            intents[RecordKey(type: RecordType.allCases[index % 3], name: name)] = Intent(
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

/// Writes versions as the first release did.
enum OldFormat {
    static func bytes(_ version: Version) -> [UInt8] {
        var head = ByteWriter()
        head.add(byte: 1)
        head.add(count: Int(version.incarnation))
        head.add(byte: version.isDeleted ? 1 : 0)
        head.add(version.stamp.time)
        head.add(version.stamp.device)
        head.add(count: version.fields.count)
        var bytes = head.bytes
        for field in version.fields {
            var key = ByteWriter()
            var stamp = ByteWriter()
            key.add(field.key)
            stamp.add(field.stamp.time)
            stamp.add(field.stamp.device)
            bytes += key.bytes + VersionCoding.bytes(field.value) + stamp.bytes
        }
        return bytes
    }
}
