import Foundation
import PluginKit
import TrailStores

/// `container list`
struct ListContainers: CommandProvider {
    private static let columns = ["device", "system", "udid", "app", "path"]

    var name: String { "container list" }

    var command: Command {
        Command(
            name, "list the containers of a simulator's devices",
            details: """
                FOLDER is laid out as a simulator does in ~/\(SimulatorContainers.usual): a folder for each device, named by its udid, with device.plist and \
                data/Containers/Data/Application. Open one with `store open PATH`. A device whose description cannot be read has no \
                name, a container that does not say its app none.
                """,
            .positional("folder", .inputPath, "folder of devices, or of one"),
            .option("device", .text, "name or udid of the device, or its first letters"),
            .option("app", .text, "bundle identifier of the app, or its first letters"),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "not on this machine",
                    "'' | save notes.txt; expect-error E-CONTAINER-DEVICES container list .")
            ],
            searchTerms: [
                "iphone backup", "apps of a backup",
                "iphone", "ipad", "backup of a phone", "simulator", "udid", "find the container",
                "app folder", "CoreSimulator", "device", "simulator app folder", "xcode",
            ]
        ) { context, folder, device, app in
            guard let all = try SimulatorContainers(folder, check: { try context.checkCancelled() }) else {
                throw StoreSessionErrors.devices(
                    "\(folder.lastPathComponent) holds no device of a simulator", at: .parameter("folder"),
                    fix: "container list FOLDER, copied from ~/\(SimulatorContainers.usual)")
            }
            let found = all.found.filter { one in
                (device.map { Self.begins(one.udid, $0) || Self.begins(one.device, $0) } ?? true)
                    && (app.map { Self.begins(one.app, $0) } ?? true)
            }
            let rows = found.map { one -> [Value] in
                [
                    Value(one.device, Value.text), Value(one.system, Value.text), .text(one.udid),
                    Value(one.app, Value.text), .text(one.url.path),
                ]
            }
            return .rows(Rows(columns: Self.columns, cells: rows, note: note(found.count, of: all)))
        }
    }

    private func note(_ count: Int, of all: SimulatorContainers) -> String? {
        Rows.note([
            count < all.found.count ? "\(count) of \(all.found.count, of: "container")" : nil,
            all.empty.isEmpty ? nil : "without apps: \(all.empty.joined(separator: ", "))",
        ])
    }

    private static func begins(_ text: String?, _ prefix: String) -> Bool {
        text?.lowercased().hasPrefix(prefix.lowercased()) == true
    }
}
