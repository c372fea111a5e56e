import Foundation
import PluginKit

/// `cloud checklist FILE…`
struct CloudChecklist: CommandProvider {
    private static let columns = ["file", "check", "state", "found", "fix"]
    /// Longer files are not entitlements.
    private static let longest = 1 << 20
    /// Longest identifier of a container, in characters.
    private static let longestName = 255

    var name: String { "cloud checklist" }

    var command: Command {
        Command(
            name, "list what an app's container needs, and what is missing",
            details: """
                Reads the files of entitlements of an app, one for each of its platforms, and compares them with the \
                container's identifier. What only the account or the dashboard can tell is listed as unknown, with the place \
                to look at. Without a file only these points are listed.
                """,
            .rest("files", .inputFile, "property lists of entitlements, such as App.entitlements"),
            .option(
                "container", .text, default: ContainerSetup.container,
                "identifier of the container, which begins with iCloud."),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "the container and its record types",
                    "cloud checklist | where check == \"record types\" | get fix",
                    gives:
                        "in the dashboard of iCloud.com.openhiker.ios: SavedRoute, Waypoint, PlannedRoute"),
                .init(
                    "not a container", "expect-error E-SYNC-CONTAINER cloud checklist --container openhiker",
                    gives: "`openhiker` is not the identifier of a container"),
            ],
            searchTerms: [
                "cloudkit", "icloud", "entitlements", "set up", "container identifier", "subscription",
            ]
        ) { context, files, container in
            let isPlain =
                container.hasPrefix("iCloud.") && container.count > "iCloud.".count
                && container.count <= Self.longestName
                && container.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-".contains($0)) }
            guard isPlain else {
                throw SyncErrors.container(
                    "`\(container)` is not the identifier of a container", at: .parameter("container"),
                    fix: "--container \(ContainerSetup.container)")
            }
            let setup = ContainerSetup(wanted: container)
            var rows: [[Value]] = []
            for url in files {
                try context.checkCancelled()
                let file = url.lastPathComponent
                rows += setup.checks(of: try Self.entitlements(url), file: file).map { Self.row(file, $0) }
            }
            rows += setup.outside.map { Self.row("", $0) }
            return .table(columns: Self.columns, cells: rows)
        }
    }

    private static func row(_ file: String, _ check: ContainerSetup.Check) -> [Value] {
        [
            file.isEmpty ? .nothing : .text(file), .text(check.name), .text(check.state.rawValue),
            check.found.isEmpty ? .nothing : .text(check.found),
            check.fix.isEmpty ? .nothing : .text(check.fix),
        ]
    }

    private static func entitlements(_ url: URL) throws -> [String: Any] {
        let size = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int
        guard let size, size <= longest, let data = try? Data(contentsOf: url),
            let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil),
            let content = list as? [String: Any]
        else {
            throw SyncErrors.container(
                "\(url.lastPathComponent) is not a property list of entitlements", at: .parameter("files"),
                fix: "choose the file with the extension .entitlements of the app's project")
        }
        return content
    }
}
