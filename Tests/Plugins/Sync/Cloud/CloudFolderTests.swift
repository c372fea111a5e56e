import Foundation
import PluginTestKit
import Testing

/// Each kind of cloud has its own folder and a line in the registry: a new one is a folder and a line.
@Suite struct CloudFolderTests {
    private static let plugin = RealData.project.appendingPathComponent("Plugins/Sync")

    @Test(arguments: ["Embedded", "Postgres", "S3"])
    func nothingElseNamesIt(_ kind: String) throws {
        let files = try #require(
            FileManager.default.enumerator(at: Self.plugin, includingPropertiesForKeys: nil))
        var naming: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let path = file.path.dropFirst(Self.plugin.path.count + 1)
            if path.hasPrefix("Storage/\(kind)/") { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            if text.contains("\(kind)Cloud") || text.contains("\(kind)Kind") { naming.insert(String(path)) }
        }
        #expect(naming == ["Storage/Clouds/CloudKind.swift"])
        let registry = try String(
            contentsOf: Self.plugin.appendingPathComponent("Storage/Clouds/CloudKind.swift"), encoding: .utf8)
        #expect(registry.components(separatedBy: "\(kind)Kind").count == 2, "one line")
    }
}
