import Foundation
import PluginTestKit
import Testing

@testable import StoresPlugin

/// Containers in a folder that is laid out as a simulator lays it out.
struct SimulatorContainerTests {
    private let session: TestSession
    private let devices: URL
    private static let phone = "0F8B2C1D-1111-4C5E-9A00-0123456789AB"
    private static let watch = "9D2B7A11-2222-4C5E-9A00-0123456789AB"

    init() throws {
        session = try Fixture.session()
        devices = session.file("Devices")
        try device(Self.phone, name: "iPhone 15", runtime: "com.apple.CoreSimulator.SimRuntime.iOS-17-2")
        try device(Self.watch, name: "Watch", runtime: "com.apple.CoreSimulator.SimRuntime.watchOS-10-2")
        try write([:], to: devices.appendingPathComponent("device_set.plist"))
    }

    private func device(_ udid: String, name: String, runtime: String) throws {
        let folder = devices.appendingPathComponent(udid)
        let applications = folder.appendingPathComponent("data/Containers/Data/Application")
        try FileManager.default.createDirectory(at: applications, withIntermediateDirectories: true)
        try write(
            ["UDID": udid, "name": name, "runtime": runtime],
            to: folder.appendingPathComponent("device.plist"))
    }

    private func container(_ id: String, of udid: String, app: String?) throws -> URL {
        let url = devices.appendingPathComponent("\(udid)/data/Containers/Data/Application/\(id)")
        let documents = url.appendingPathComponent("Documents")
        try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: true)
        if let app {
            try write(
                ["MCMMetadataIdentifier": app],
                to: url.appendingPathComponent(".com.apple.mobile_container_manager.metadata.plist"))
        }
        return documents
    }

    private func write(_ list: [String: String], to url: URL) throws {
        try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0).write(to: url)
    }

    @Test func anAppsContainerIsFoundByNameUdidAndApp() async throws {
        let documents = try container("A1", of: Self.phone, app: "com.openhiker.ios")
        _ = try container("B2", of: Self.phone, app: nil)
        try Fixture.waypoints(at: documents.appendingPathComponent("waypoints.db"))
        #expect(
            await session.run("container list Devices | select device system app | to csv") == """
                device,system,app
                iPhone 15,iOS 17.2,
                iPhone 15,iOS 17.2,com.openhiker.ios
                """)
        for filter in ["--device iphone --app com.openhiker", "--device 0f8b2c1d --app com.openhiker"] {
            #expect(await session.run("container list Devices \(filter) | count") == "1")
        }
        #expect(await session.run("container list Devices --device Watch | count") == "0")
        #expect(await session.run("container list Devices").contains("without apps: Watch"))
        let path = await session.run(
            "container list Devices/\(Self.phone) --app com.openhiker.ios | first | get path")
        #expect(await session.result("store open '\(path)'").failure == nil)
        #expect(await session.run("waypoint count") != "0")
    }

    @Test func aDeviceWithoutADescriptionHasNoName() async throws {
        _ = try container("A1", of: Self.phone, app: "com.openhiker.ios")
        try Data("cut".utf8).write(to: devices.appendingPathComponent("\(Self.phone)/device.plist"))
        #expect(await session.shown("container list Devices | get device") == "")
        #expect(await session.shown("container list Devices | get udid") == Self.phone)
    }

    @Test(arguments: [
        ("com.apple.CoreSimulator.SimRuntime.iOS-17-2", "iOS 17.2"),
        ("com.apple.CoreSimulator.SimRuntime.iOS-beta", "com.apple.CoreSimulator.SimRuntime.iOS-beta"),
        ("iOS", "iOS"), ("", ""),
    ])
    func runtimes(identifier: String, system: String) {
        #expect(SimulatorContainers.system(identifier) == system)
    }

    @Test func aFolderWithoutDevicesIsRefused() async throws {
        #expect(await session.result("container list .").failure?.code == "E-CONTAINER-DEVICES")
        #expect(await session.result("container list nowhere").failure?.code == "E-FILE-MISSING")
    }
}
