import CivilTime
import Foundation
import GRDB
import PluginTestKit
import Testing
import TrailStores

@testable import SyncPlugin

/// A report of an operation that was given up is all that keeps the cloud from performing it when it arrives after all.
@Suite struct LostReportTests {
    private static let now: Int64 = 1_770_000_000_000
    private let folder: TemporaryFolder
    private let phone: URL
    private var cloud: EmbeddedCloud

    init() throws {
        folder = try TemporaryFolder()
        phone = folder.url.appendingPathComponent("phone")
        try FileManager.default.createDirectory(at: phone, withIntermediateDirectories: true)
        _ = try WaypointStore(own: phone)
        cloud = try EmbeddedCloud(folder.url.appendingPathComponent("cloud.db"), zone: "z", epoch: 1)
        try change(
            """
            INSERT INTO waypoints (id, latitude, longitude, timestamp, label, note)
            VALUES ('00000000-0000-4000-8000-000000000001', 46, 7, '2026-01-01T00:00:00Z', 'W', 'first')
            """)
    }

    private func change(_ statement: String) throws {
        try DatabaseQueue(path: phone.appendingPathComponent("waypoints.db").path).write {
            try $0.execute(sql: statement)
        }
    }

    /// Syncs; the reply to the first request that `isLost` names does not arrive, however often it is sent. Returns how often it was
    /// sent.
    private mutating func sync(losing isLost: (CloudRequest) -> Bool) throws -> Int {
        var store = try FolderStore(phone, device: 1, now: Timestamp(milliseconds: Self.now))
        var machine = SyncMachine(rule: .merge)
        machine.reports = true
        var lost = 0
        var output = try machine.start(.now, in: &store, now: Self.now)
        while true {
            switch output {
            case .finished: return lost
            case .wait: output = machine.again().map { .send($0) } ?? .finished(.done)
            case .send(let request) where isLost(request):
                lost += 1
                output = try machine.failed(.transient("no connection"), in: &store)
            case .send(let request):
                let next = try machine.receive(
                    try cloud.answer(request), to: machine.requestNumber, in: &store, now: Self.now)
                output = next ?? .finished(.done)
            }
        }
    }

    @Test mutating func itIsRepeated() throws {
        _ = try sync { _ in false }
        try change("UPDATE waypoints SET note = 'second'")
        // The save is sent and given up; its operation waits for an answer.
        _ = try sync { if case .save = $0 { true } else { false } }
        try change("UPDATE waypoints SET note = 'third'")
        let sent = try sync { if case .report = $0 { true } else { false } }
        #expect(sent == SyncSettings.attempts)
        // It is owed to the next sync, which has nothing else to do.
        let owed = try sync { if case .report = $0 { true } else { false } }
        #expect(owed == SyncSettings.attempts)
        var arrived = 0
        for _ in 0..<2 {
            _ = try sync {
                if case .report = $0 { arrived += 1 }
                return false
            }
        }
        #expect(arrived == 1)
        // One about the position alone is left to the next sync.
        try change("UPDATE waypoints SET note = 'fourth'")
        let plain = try sync { if case .report = $0 { true } else { false } }
        #expect(plain == 1)
    }
}
