import PluginTestKit
import Testing

/// Data where entries are expected.
struct PipedDataTests {
    @Test(arguments: ["<gpx version='1.1'>", "<?xml version='1.0'?>"])
    func markupIsNoEntry(text: String) async throws {
        let test = try TestSession(plugins: { [] })
        let shown = await test.run(text)
        #expect(shown.contains("import FILE"), "\(shown)")
    }
}
