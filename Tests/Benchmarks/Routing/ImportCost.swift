import Foundation
import PluginKit
import RoutingPlugin

/// The cost of an import compared with `osmium fileinfo -e`, which reads the same file without storing
/// anything: each in its own process, alternating, so that other work on the machine affects both equally.
struct ImportCost {
    let file: URL
    var tiles: [URL] = []

    private static let flag = "--import-one"
    private static let phasesFlag = "--phases"
    private static let rounds = 3
    /// The maximum memory of an import of a country, in bytes.
    private static let mostMemory = 4 << 30
    /// The maximum duration of an import relative to `osmium fileinfo -e`.
    private static let mostTimes = 4.0

    func run() throws {
        var (imports, infos): ([Child], [Child]) = ([], [])
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        for _ in 0..<Self.rounds {
            imports += [Child(own, [Self.flag, file.path] + tiles.map(\.path))].compactMap { $0 }
            infos += [Child("/usr/bin/osmium", ["fileinfo", "-e", file.path])].compactMap { $0 }
        }
        guard let seconds = imports.map(\.seconds).min(), let work = imports.map(\.processor).min() else {
            print("import: failed")
            return
        }
        let peak = imports.map(\.peak).max() ?? 0
        print(
            "import of \(file.lastPathComponent): \(ms(seconds)), processor time \(ms(work)), peak memory "
                + mib(peak) + goal("< \(mib(Self.mostMemory))", peak < Self.mostMemory))
        guard let info = infos.map(\.seconds).min(), let infoWork = infos.map(\.processor).min() else {
            print("  osmium fileinfo -e: skipped, osmium is not installed")
            return
        }
        print(
            "  osmium fileinfo -e \(ms(info)), processor time \(ms(infoWork)); ratio \(ratio(seconds, info))"
                + goal("≤ \(Self.mostTimes)×", seconds <= Self.mostTimes * info)
                + ", of processor time \(ratio(work, infoWork))")
    }

    /// Imports a file and exits if this process was started for that. `--phases FILE` prints memory and time of each phase.
    static func importIfAsked(_ arguments: [String]) throws {
        guard let first = arguments.first, [flag, phasesFlag].contains(first), arguments.count > 1 else {
            return
        }
        let phases = first == phasesFlag ? PhaseMemory() : nil
        // Delete it before the process exits, which skips the end of the scope.
        var scratch: Scratch? = try Scratch()
        if let folder = scratch?.url {
            let report = try RegionImport(
                into: RegionFolder(at: folder), progress: ProgressReporter { phases?.enter($0.label) }
            ).run(
                RegionImport.Request(
                    source: URL(fileURLWithPath: arguments[1]),
                    elevation: arguments.dropFirst(2).map { URL(fileURLWithPath: $0) }, name: "one"))
            if phases != nil {
                print("\(report.nodes) nodes, \(report.edges) edges, \(report.places) places")
            }
        }
        scratch = nil
        phases?.print()
        exit(0)
    }
}
