import Foundation
import Logging
import PluginKit
import PluginTestKit
import Synchronization
import Testing
import Workbench

@testable import SyncPlugin

#if HAS_WAYPOINTS
    import WaypointsPlugin

    /// What sync and the watch link write to the log, and what a container needs.
    struct SyncEventTests {
        private let lines = LogLines()
        private let folder: TemporaryFolder
        private let session: Session

        init() throws {
            folder = try TemporaryFolder()
            let lines = lines
            let logger = Logger(label: "test") { _ in Recorder(lines) }
            session = try Session(
                configuration: SessionConfiguration(
                    seed: 1, clock: SessionClock(standingAt: TestSession.Settings.start),
                    environment: .notebook,
                    workspace: folder.url.appendingPathComponent("w", isDirectory: true),
                    files: FileAccess(unconfinedIn: folder.url), log: logger),
                plugins: { [SyncPlugin(), WaypointsPlugin()] })
        }

        private final class LogLines: Sendable {
            let all = Mutex<[String]>([])
            func has(_ start: String) -> Bool { all.withLock { $0.contains { $0.hasPrefix(start) } } }
        }

        private struct Recorder: LogHandler {
            var metadata: Logger.Metadata = [:]
            var logLevel = Logger.Level.trace
            let lines: LogLines

            init(_ lines: LogLines) { self.lines = lines }

            subscript(metadataKey key: String) -> Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }

            func log(event: LogEvent) {
                let facts = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map {
                    " \($0.key)=\($0.value)"
                }
                .joined()
                lines.all.withLock { $0.append("\(event.message)\(facts)") }
            }
        }

        @Test func theLinkLogsInTheAppsWords() async throws {
            _ = await session.run("device add watch wrist; device add phone anna")
            let id = await session.run("waypoint add 46.5,7.9 --label Hut | get uuid").text
            _ = await session.run("link deliver")
            #expect(lines.has("Queued waypoint sync to watch: "), "\(lines.all.withLock { $0 })")
            #expect(lines.has("Received and saved waypoint from iPhone: "), "\(id)")
            _ = await session.run(
                "device use wrist; waypoint add 46.6,7.9 --label Lake | get label; link deliver")
            #expect(lines.has("Queued waypoint sync to iPhone: "))
            #expect(lines.has("Received and saved waypoint from watch: "))
            _ = await session.run(
                "link send '{\"type\": \"waypoint\", \"latitude\": \"north\"}'; link deliver")
            #expect(lines.has("waypoint from wrist failed: "))
        }

        @Test func aSyncIsLoggedWithItsCounts() async throws {
            _ = await session.run("device add phone anna; waypoint add 46.5,7.9 --label Hut; sync")
            let found = lines.all.withLock { $0.filter { $0.hasPrefix("cloudSyncCompleted") } }
            #expect(found.count == 1 && found[0].contains("pushed=1"), "\(found)")
            #expect(lines.has("cloud request "))
        }

        @Test func aRouteIsSentWithItsIdentifier() async throws {
            let id = "6F9619FF-8B86-4D01-B42D-00CF4FC964FF"
            let route = """
                {"id":"\(id)","name":"To the hut","mode":"hiking","createdAt":"2026-02-06T08:00:00Z",
                "startCoordinate":{"latitude":46.5,"longitude":7.9},"endCoordinate":{"latitude":46.6,"longitude":7.9},
                "viaPoints":[],"coordinates":[{"latitude":46.5,"longitude":7.9},{"latitude":46.6,"longitude":7.9}],
                "turnInstructions":[],"totalDistance":11119.5,"estimatedDuration":8000,"elevationGain":0,"elevationLoss":0}
                """
            try Data(route.utf8).write(to: folder.url.appendingPathComponent("r.json"))
            _ = await session.run("device add watch wrist; device add phone anna; link send --file r.json")
            _ = await session.run("link deliver")
            #expect(
                await session.run("link list --all | get detail").text == "plannedRouteSyncReceived \(id)")
            #expect(lines.has("plannedRouteSyncReceived routeId=\(id)"))
        }

        @Test func aTabletHasNoLink() async throws {
            _ = await session.run("device add watch wrist; device add tablet slate")
            #expect(await session.run("device list | get kind").text == "watch\ntablet")
            let result = await session.run("link send '{\"type\": \"ping\"}'")
            #expect(result.failure?.code == "E-LINK-PEERS")
            #expect(
                await session.run("waypoint add 46.5,7.9 --label Hut | get label; sync | get pushed").text
                    == "Hut\n1")
            #expect(await session.run("link list | count").text == "0")
        }

        @Test func theAppsWaitFollowsItsLastAttempt() {
            #expect((1...SyncSettings.attempts).map(SyncSettings.delay) == [2, 4, 8, 16])
        }

        @Test func theChecklistSaysWhatIsMissing() async throws {
            let list: [String: Any] = [
                "com.apple.developer.icloud-services": ["CloudDocuments"],
                "com.apple.developer.icloud-container-identifiers": ["iCloud.com.openhiker.ios"],
            ]
            try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0).write(
                to: folder.url.appendingPathComponent("App.entitlements"))
            let states = await session.run("cloud checklist App.entitlements | get state").text
            #expect(states == "missing\nholds\nmissing\nunknown\nunknown\nunknown")
            #expect(
                await session.run(
                    "cloud checklist App.entitlements --container iCloud.org.other | where state == missing | count"
                ).text == "3")
            try Data("no list".utf8).write(to: folder.url.appendingPathComponent("bad.plist"))
            for entry in ["cloud checklist bad.plist", "cloud checklist --container 'iCloud.'"] {
                #expect(await session.run(entry).failure?.code == "E-SYNC-CONTAINER", "\(entry)")
            }
        }
    }
#endif
