import BeaconsPlugin
import Foundation
import PluginTestKit
import Testing

/// The app's saved preferences. Python's plistlib, if installed, is the independent reader and writer.
struct PreferencesTests {
    private let test: TestSession

    init() throws { test = try TestSession(plugins: { [BeaconsPlugin()] }) }

    private var file: URL { test.folder.url.appendingPathComponent("app.plist") }

    /// As the seed's `LocationStore` saves it: an array of `Location` by JSONEncoder, under `SavedLocations`.
    private static let locations = """
        [{"id":"6F9619FF-8B86-4D01-B42D-00CF4FC964FF","name":"Home","coordinate":{"latitude":46.5,"longitude":7.5},\
        "toneProfileId":"00000000-0000-0000-0000-000000000001","isEnabled":false,"future":[1,2]}]
        """

    private func write(_ format: PropertyListSerialization.PropertyListFormat) throws {
        let list: [String: Any] = ["SavedLocations": Data(Self.locations.utf8), "Volume": 0.5]
        try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0).write(to: file)
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func theirsAreRead(format: PropertyListSerialization.PropertyListFormat) async throws {
        try write(format)
        #expect(
            await test.run("beacon import app.plist | select name at enabled | to csv")
                == "name,at,enabled\nHome,\"46.5,7.5\",false")
        // A second import replaces it.
        await test.run("beacon import app.plist")
        #expect(await test.run("beacon list | where name != north | count") == "1")
        await test.run("undo")
        await test.run("undo")
        #expect(await test.run("beacon list | where name == Home | count") == "0")
    }

    @Test func oursKeepWhatElseTheFileHas() async throws {
        try write(.xml)
        await test.run("beacon import app.plist; beacon edit Home --name Cabin")
        #expect(await test.result("beacon export app.plist").failure?.code == "E-FILE-EXISTS")
        #expect(await test.run("beacon export app.plist --force") == "1 beacon written to app.plist")
        let bytes = try Data(contentsOf: file)
        #expect(bytes.starts(with: Data("<?xml".utf8)))
        let list =
            try PropertyListSerialization.propertyList(from: bytes, options: [], format: nil)
            as? [String: Any]
        #expect(list?["Volume"] as? Double == 0.5)
        let saved = try #require(list?["SavedLocations"] as? Data)
        let decoded = try JSONDecoder().decode([Location].self, from: saved)
        #expect(decoded.map(\.name) == ["Cabin"] && decoded[0].future == [1, 2])
        #expect(decoded[0].coordinate.latitude == 46.5 && decoded[0].isEnabled == false)
    }

    /// The app's own type, as far as it decodes.
    private struct Location: Decodable {
        struct Place: Decodable { var latitude: Double }
        var id: UUID
        var name: String
        var coordinate: Place
        var toneProfileId: UUID
        var isEnabled: Bool
        var future: [Int]?
    }

    @Test(arguments: ["", "no list", "bplist00\u{1}", "<?xml version=\"1.0\"?><plist><array/></plist>", "{}"])
    func whatIsNoPreferencesIsRefused(content: String) async throws {
        try Data(content.utf8).write(to: file)
        let before = await test.run("beacon list")
        #expect(await test.result("beacon import app.plist").failure?.code == "E-BEACON-FILE")
        #expect(await test.run("beacon list") == before)
    }

    @Test func aNameThatExistsGetsANumber() async throws {
        try write(.binary)
        await test.run("beacon add home 1,1; beacon import app.plist")
        #expect(await test.run("beacon list | where name != north | get name") == "home\nHome 2")
    }

    private func save(_ value: Any) throws {
        try PropertyListSerialization.data(
            fromPropertyList: ["SavedLocations": value], format: .binary, options: 0
        ).write(to: file)
    }

    /// Of several beacons one without a place is no reason to refuse the others.
    @Test func whatIsIncompleteIsRead() async throws {
        let text = """
            [{"name":"Hut","coordinate":{"latitude":46.5,"longitude":7.5},"isEnabled":0},\
            {"name":"Far","coordinate":{"latitude":200,"longitude":7}},{"name":"None"},\
            {"name":"\\n","coordinate":{"latitude":46.6,"longitude":7.5},"id":"6F9619FF-8B86-4D01-B42D-00CF4FC964FF"},\
            {"name":"Twin","coordinate":{"latitude":46.7,"longitude":7.5},"id":"6F9619FF-8B86-4D01-B42D-00CF4FC964FF"}]
            """
        try save(Data(text.utf8))
        let shown = await test.run("beacon import app.plist")
        #expect(
            shown.contains("2 beacons not added: Far: its coordinate is out of range; None: "), "\(shown)")
        #expect(
            await test.run("beacon list | where name != north | select name enabled | to csv")
                == "name,enabled\nHut,false\nbeacon,true\nTwin,true")
        #expect(await test.run("account | to json").contains("incomplete"))
    }

    /// Other programs write the list as a text or as it is; it stays of its kind.
    @Test func locationsOfOtherKindsAreReadAndKept() async throws {
        let list = try JSONSerialization.jsonObject(with: Data(Self.locations.utf8))
        for value in [Self.locations as Any, list] {
            try save(value)
            #expect(await test.run("beacon import app.plist | get name") == "Home")
            #expect(await test.run("beacon export app.plist --force") == "1 beacon written to app.plist")
            let saved =
                try PropertyListSerialization.propertyList(
                    from: Data(contentsOf: file), options: [], format: nil) as? [String: Any]
            let kept = saved?["SavedLocations"]
            #expect(value is String ? kept is String : kept is [[String: Any]])
            #expect(await test.run("beacon import app.plist | get name") == "Home")
        }
    }
}
