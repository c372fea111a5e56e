import Core
import Foundation
import PluginTestKit
import Testing

@testable import Archives

/// Mutants of archives: whatever is in them, the walk ends, and files beside the damage are read.
@Suite(.needs(.archive), .serialized) struct ArchiveMutantTests {
    private static var entries: [StoredZip.Entry] {
        (0..<12).map { number in
            StoredZip.Entry("folder/f\(number).gpx", "<gpx><!-- \(number) --></gpx>".utf8)
        }
    }

    /// A text and an archive, packed by Python 3.11.
    private static let packed = [
        (
            "a.gpx.gz",
            "H4sIAAAAAAACA7NJL6iwsykvKFHISSyxVTIx1zNQUsjJz7NVslDSt7PRB0lz2WAoMiRGkRExioyJUWRCjCJTYhSZEaPInBhFFsQosiQqMIkLcixhDgBcE3/dvgEAAA=="
        ),
        (
            "a.gpx.bz2",
            "QlpoOTFBWSZTWZBwk90AAFtZgAAQUAH/5yCFxMAgAHBTRoA0AABSoqaGT0TaEYadC8luLfv1xn8048v3nrLqLJaF1LpowvgsXAsZLHMtSwWpdy2L+LBeCyWhf4vJbi2L0LYti+yyL2LuSKcKEhIOEnug"
        ),
        (
            "a.gpx.xz",
            "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4AG9AEhdAB4Zyge174hMh8XTcyg6S3gciaSc7RDF4/+Z6/egh6zLdeUI6ZB+Q+ZKsvNcN9Vbv/jPevShXa9zzQw4t1WfAj0AbRsxGSNsAAAbhOeW1AMnmQABZL4DAAAACoBy7bHEZ/sCAAAAAARZWg=="
        ),
        (
            "a.tar.gz",
            "H4sIAAAAAAACA+3T0QqCMBiG4R13FbIL0KlzM1DvxRM7kZIy6vJbBR1UBz/EQup9Tja2Dwb/+AaTbqazisoEztrbGjyvxnn32N/PvTGlSoz6guNh7vfhSfWfmvD7XXOa5mTs51ZbnxqdjLttq2uddU12vV69hnJJqJCESknISkKVJOQkIS8J1ZLQWjRM2cjfzPzz/x/yhfbf0n/6T/+j979YaP8r+k//6X/s/gMAAAAAAAAAAAD4HReWuTY4ACgAAA=="
        ),
    ]

    private func files(_ bytes: [UInt8], _ name: String) throws -> [String] {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent(name)
        try Data(bytes).write(to: url)
        var walk = SourceWalk([url], extensions: ["gpx"], check: {})
        var found: [String] = []
        while let file = try walk.next() {
            guard case .success(let source) = file.content else { continue }
            found.append("\(file.path) \(String(decoding: try source.all(), as: UTF8.self))")
        }
        return found
    }

    @Test func archives() async throws {
        let zip = StoredZip(Self.entries).bytes
        let nested = StoredZip([.init("inner.zip", zip), .init("last.gpx", "<gpx/>".utf8)]).bytes
        let packed = Self.packed.compactMap { name, text in
            Data(base64Encoded: text).map { MutableFile(name, whole: Array($0)) }
        }
        let zips = [MutableFile("a.zip", whole: zip), MutableFile("n.zip", whole: nested)]
        try await MutantTrial(zips + packed) { bytes, name in try files(bytes, name) }.run()
    }
}
