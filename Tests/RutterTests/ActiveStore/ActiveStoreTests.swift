import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import Workbench
@testable import rutter

/// Every command whose examples use a store of the workspace works on the foreign store in use or refuses: one's own
/// workspace is then neither read nor changed.
///
/// Two sessions differ in their own workspace alone, which one has as the example's setup left it and the other empty. While
/// a foreign store is in use they must show the same, and the files of the filled workspace must keep their bytes.
@Suite(.enabled(if: StoreSample.hasAllPlugins, "needs all built-in plugins and libraries"))
struct ActiveStoreTests {
    private static let sample = Task { try await StoreSample() }
    /// Commands that use no store of the workspace in their examples, by the first words of their names, and why.
    private static let exempt: [String: String] = [
        "beacon play": "is `beacon render` through the system's sound, which a test does not have",
        "bug": "is about archives of sessions that are named",
        "category": "is about the workspace's list of categories, which belongs to no store",
        "cloud checklist": "is about a container that is named or in use",
        "cloud setup": "works on a server's database, on no store",
        "community": "is about a folder of routes that is set; what it publishes and imports is tried",
        "config": "is about the start-up file, no store",
        "container": "works on the container that is named or in use, and fails without one",
        "feed": "reads and writes files that are named; what reads the timetable is tried",
        "for": "runs other commands, each of which has its store",
        "guide": "works on the line that is named or in the pipe; a route by name is tried",
        "if": "runs other commands, each of which has its store",
        "link mode": "is a setting of the link between devices",
        "notebook": "is about notebooks that are named, and runs them in workspaces of their own",
        "photo compress": "works on files that are named",
        "plugin": "is about external plugins, which are not stores",
        "region sample": "writes sample files, no store",
        "source": "runs other commands, each of which has its store",
        "sql": "works on the store that is named or in use, and fails without one",
        "store": "works on the store that is named or in use",
        "sweep": "runs other commands, each of which has its store",
        "sync simulate": "has devices and a cloud of its own, in memory or in a new file",
        "undo": "takes back the change that it names, in the store that was changed",
        "web": "runs other commands, each of which has its store",
    ]

    /// Calls that need the files and names of the sample, of commands whose examples show an error or an empty store.
    private static let further: [String] =
        [
            "guide start Up", "guide prompts Up", "guide simulate Up --interval 60s",
            "guide play Up --rate 1000 --interval 60s", "link send --file plan.json", "link list --all",
            "link deliver 0 --twice", "map show",
            "place at 0.51439,0.49730",
            "place find Hut", "place find home", "place find Central", "place find Meridian",
            "region join valley valley2", "import way.gpx --as routes | first | get routes | route save",
            "route list",
            "route match way.gpx",
            "route show Up", "tone list", "tone show Bell", "import ride.fit",
            "import ride.tcx", "import walk.gpx",
            "import way.gpx --as routes",
            "import places.gpx", "import places.geojson",
            "import places.kml",
            "import walk.json", "export walk.pdf Walk --force",
            "export walk.fit Walk --force",
            "export - Walk --as tcx", "export walk.html Walk --force",
            "hike list | export walks --each --as gpx --force", "waypoint list | reverse | export --as gpx",
            "beacon render --place 0.5,0.5 --heading 0deg --seconds 0.1 --simple --out s.wav --force",
        ]
        + ["community", "geojson", "gpx", "kml", "markdown"].flatMap {
            ["export - Walk --as \($0)", "export - Up --as \($0)"]
        }

    private static let all = Task {
        let test = try TestSession(plugins: builtInPlugins)
        let names = await test.session.registry.names
        let calls = further.map { line in
            let words = line.split(separator: " ").prefix(2).joined(separator: " ")
            let name = names.contains(words) ? words : String(line.prefix { $0 != " " })
            return ExampleWorkspace.Call(name: name, line: line)
        }
        return try await ExampleWorkspace.all() + [ExampleWorkspace(sample.value, calls: calls)]
    }

    /// The calls that ask for a store of the workspace itself, by their setup, and the names of the commands that show or change
    /// what is in it.
    private static let own = Task {
        var found: [(workspace: ExampleWorkspace, effective: Set<String>)] = []
        for workspace in try await all.value {
            var (calls, effective): ([ExampleWorkspace.Call], Set<String>) = ([], [])
            for call in workspace.calls {
                guard let isEffective = try await usesOwn(call, workspace) else { continue }
                calls.append(call)
                if isEffective { effective.insert(call.name) }
            }
            if !calls.isEmpty { found.append((workspace.with(calls), effective)) }
        }
        return found
    }

    /// Each command that reads or changes the workspace has an example that shows it, unless it is exempt.
    @Test func withoutAForeignStoreAnExampleUsesOnesOwn() async throws {
        let effective = Set(try await Self.own.value.flatMap(\.effective))
        let test = try TestSession(plugins: builtInPlugins)
        for spec in await test.session.registry.entries.map(\.command.spec) where spec.effect != .pure {
            let words = spec.name.split(separator: " ").map(String.init)
            let isExempt = Self.exempt[spec.name] != nil || Self.exempt[words[0]] != nil
            #expect(
                isExempt || effective.contains(spec.name),
                "no example of `\(spec.name)` shows or changes what its setup made")
        }
    }

    @Test(arguments: StoreSample.openings.map { "\($0.kind.name)\($0.options)" })
    func whileAForeignStoreIsInUseOnesOwnIsLeftAlone(_ opening: String) async throws {
        let found = StoreSample.openings.first { "\($0.kind.name)\($0.options)" == opening }
        let (kind, options) = try #require(found)
        for workspace in try await Self.own.value.map(\.workspace) {
            let foreign = try await Self.foreign(kind, beside: workspace)
            let open: @Sendable (TestSession) async throws -> Void = { test in
                let copy = test.folder.url.appendingPathComponent("foreign")
                try FileManager.default.copyItem(at: foreign.url, to: copy)
                let file = try StoreSample.file(kind, in: copy)
                let path = file.path.dropFirst(test.folder.url.path.count + 1)
                let opened = await test.run("store open \(path)\(options) --name app | get kind")
                #expect(opened == kind.name)
            }
            let filled = try await workspace.session(filled: true, opening: open)
            let empty = try await workspace.session(filled: false, opening: open)
            let before = StoreSample.state(filled)
            for call in workspace.calls {
                let (shown, blank) = (await Self.show(call.line, filled), await Self.show(call.line, empty))
                #expect(shown == blank, "`\(call.line)` reads one's own while \(opening) is in use")
                let given = try workspace.files
                #expect(
                    try StoreSample.output(filled, given: given) == StoreSample.output(empty, given: given),
                    "`\(call.line)` writes of one's own while \(opening) is in use")
                let changed = Self.difference(before, StoreSample.state(filled))
                #expect(changed == [], "`\(call.line)` touches one's own while \(opening) is in use")
                if !changed.isEmpty { break }
            }
            for test in [filled, empty] { await test.session.close() }
        }
    }

    /// Whether an example that asks for a store of the workspace shows or changes what is in it; `nil` if it asks for none.
    private static func usesOwn(
        _ call: ExampleWorkspace.Call, _ workspace: ExampleWorkspace
    ) async throws -> Bool? {
        let filled = try await workspace.session(filled: true)
        let requests = { await filled.session.context(tracing: nil).stores.ownRequests }
        let (before, asked) = (StoreSample.state(filled), await requests())
        let shown = await show(call.line, filled)
        defer { Task { await filled.session.close() } }
        guard await requests() > asked else { return nil }
        if StoreSample.state(filled) != before { return true }
        let empty = try await workspace.session(filled: false)
        let blank = await show(call.line, empty)
        await empty.session.close()
        let given = try workspace.files
        return try shown != blank
            || StoreSample.output(filled, given: given) != StoreSample.output(empty, given: given)
    }

    /// A folder with a foreign store of a kind: what the setup has made of it, or else that of the sample.
    private static func foreign(
        _ kind: StoreKind, beside workspace: ExampleWorkspace
    ) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let other = try await sample.value
        // What the setup made of beacons and tones may be empty: such a file is not recognised.
        let isText = [.locations, .tones].contains(kind)
        if try isText || !workspace.takeOut(kind, into: folder.url) {
            try FileManager.default.copyItem(
                at: other.foreign.url.appendingPathComponent(kind.name),
                to: folder.url.appendingPathComponent(kind.name))
        }
        return folder
    }

    private static func difference(_ before: [String: Data], _ after: [String: Data]) -> [String] {
        Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
    }

    /// What a session shows, without the path of its folder.
    private static func show(_ line: String, _ test: TestSession) async -> String {
        await test.run(line).replacing(test.folder.url.path, with: "")
    }
}
