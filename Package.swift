// swift-tools-version: 6.2
import Foundation
import PackageDescription

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
/// SQLite's own functions, for rows by the hundred thousand.
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
/// The package's other collections, which nothing uses, take half a minute to build.
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

/// HTTP and WebSocket of the local web page; resolved only with the plugin that has it.
let nio = ["NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket"].map {
    Target.Dependency.product(name: $0, package: "swift-nio")
}

/// The dependencies of clouds on servers.
let clouds: [Target.Dependency] = ["CPostgres", "Fetching"]

/// The plugins that are built in: a line for each folder under Plugins/. Deleting the folder and its line deletes the
/// plugin; the program's list of plugins is generated from these lines.
let features = [
    Feature("Beacons", libraries: ["CSofa"]),
    Feature("Export", libraries: ["Pages"], files: ["Page/report.css", "Page/report.js"]),
    Feature("Guidance"),
    Feature("Hikes", libraries: ["Archives"]),
    Feature("Places", libraries: ["Fetching"]),
    Feature("Routing", libraries: ["Archives", "COsmium", "CTiff"]),
    Feature("Stores", libraries: ["Archives", "CSQLCipher"], tests: ["StoreTrials"]),
    Feature("Sync", libraries: ["CCrypto"] + clouds, tests: ["SyncTrials"], with: ["Waypoints"]),
    Feature("Transit", libraries: ["Archives", "Fetching", heap], tests: ["TransitReference"]),
    Feature("Waypoints"),
    Feature("Web", libraries: nio + ["CWebPage", "Pages"], page: "CWebPage"),
]

/// A plugin that is built in.
struct Feature {
    /// Its folder under Plugins/ and, with `Plugin` after it, its module.
    let name: String
    /// Its dependencies besides those of every plugin.
    let libraries: [Target.Dependency]
    /// Modules that its tests share with its benchmark.
    let testSupport: [Target.Dependency]
    /// Plugins whose commands its tests use if they are present.
    let companions: [String]
    /// Small files embedded in its code, so that the program is one file.
    let files: [String]
    /// The module of its folder Page, in C, which holds the folder's files.
    let page: String?

    init(
        _ name: String, libraries: [Target.Dependency] = [], tests testSupport: [Target.Dependency] = [],
        with companions: [String] = [], files: [String] = [], page: String? = nil
    ) {
        self.name = name
        self.libraries = libraries
        self.testSupport = testSupport
        self.companions = companions
        self.files = files
        self.page = page
    }

    var module: Target.Dependency { .byName(name: "\(name)Plugin") }
}

let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

/// The files of a folder with some endings, which are excluded from the build.
func files(in folder: String, _ endings: String...) -> [String] {
    let files = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
    return (files?.allObjects as? [String] ?? []).filter { file in endings.contains { file.hasSuffix($0) } }
        .sorted()
}

/// Swift settings of all targets.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// Modules that are optimised in debug builds, too: the tests spend more time in their unoptimised code than optimising
/// them takes. Assertions stay. Larger modules, such as the one of routes, take longer to optimise than that saves.
let optimized: Set = ["Geodesy", "GuidancePlugin"]

func settings(_ name: String) -> [SwiftSetting] {
    guard optimized.contains(name) else { return strict }
    return strict + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]
}

func library(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(name)", exclude: exclude,
        swiftSettings: settings(name))
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> [Target] {
    [.testTarget(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict)]
}

/// Links Swift's libraries statically, strips symbols and packs relative relocations, because each start processes all
/// relocations.
let quickStart = LinkerSetting.unsafeFlags(
    ["-static-stdlib", "-use-ld=lld", "-Xlinker", "-s", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"]
        + [
            "FoundationInternationalization", "FoundationEssentials", "CoreFoundation", "_FoundationICU",
            "_FoundationCShims", "_FoundationCollections", "swiftSynchronization",
        ].map { "-l\($0)" },
    .when(configuration: .release))

/// A module for a C library that is loaded when it is first used.
func lazyLibrary(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: ["CLazyLibrary"] + dependencies, path: "Sources/\(name)",
        cSettings: [.define("_GNU_SOURCE")], cxxSettings: [.define("NDEBUG")])
}

/// Dependencies of every plugin.
let pluginDependencies: [Target.Dependency] = [
    "Cartography", "CivilTime", "Formats", "Geodesy", "PluginKit", "TrailStores", "TurnInstructions",
    "Photos", "Pictures", "TracePictures", grdb, sqlite, logging,
]

let pluginTargets: [Target] = features.flatMap { feature -> [Target] in
    let name = feature.name
    let page = feature.page.map { page in
        Target.target(
            name: page, path: "Plugins/\(name)/Page",
            exclude: files(in: "Plugins/\(name)/Page", ".css", ".html", ".js"))
    }
    let target = Target.target(
        name: "\(name)Plugin", dependencies: pluginDependencies + feature.libraries,
        path: "Plugins/\(name)", exclude: files(in: "Plugins/\(name)", ".md") + (page == nil ? [] : ["Page"]),
        resources: feature.files.map { .embedInCode($0) }, swiftSettings: settings("\(name)Plugin"))
    let others = features.filter { feature.companions.contains($0.name) }
    let test = Target.testTarget(
        name: "\(name)PluginTests",
        dependencies: [feature.module, "PluginTestKit", "TerminalTestKit", "Workbench"] + pluginDependencies
            + feature.testSupport + others.map(\.module),
        path: "Tests/Plugins/\(name)",
        swiftSettings: strict + others.map { .define("HAS_\($0.name.uppercased())") })
    return [page, target, test].compactMap { $0 }
}

/// Benchmarks: one program for each plugin that has them.
let benchmarks: [Target] = [
    benchmark("Export", "export-bench", ["CXml", "PluginTestKit"] + pluginDependencies, with: ["Hikes"]),
    benchmark(
        "Routing", "routing-bench",
        [
            "RoutingBaseline", "CivilTime", "Geodesy", "PluginKit", "PluginTestKit", "TurnInstructions",
            "Workbench", grdb,
            logging,
        ],
        exclude: ["compare-routers.py", "test_compare_routers.py", "tile-extract.py"],
        // The same A* in C++, to compare with.
        beside: .target(name: "RoutingBaseline", path: "Tests/Benchmarks/RoutingBaseline")),
    benchmark("Beacons", "beacons-bench", ["Formats", "Geodesy", "PluginKit"]),
    benchmark(
        "Places", "places-bench",
        ["Geodesy", "PluginKit", "PluginTestKit", grdb], exclude: ["scan-osm.py"],
        with: ["Routing"]),
    benchmark(
        "Guidance", "guidance-bench", ["CivilTime", "Formats", "Geodesy", "PluginKit", "TurnInstructions"]),
    benchmark(
        "Transit", "transit-bench",
        ["CivilTime", "Geodesy", "PluginKit", "PluginTestKit", "TrailStores", "TransitReference", grdb],
        // A slow reference implementation of departures.
        beside: .target(
            name: "TransitReference", dependencies: ["Geodesy", "PluginKit", "TransitPlugin"],
            path: "Tests/TransitReference",
            swiftSettings: strict)),
    benchmark(
        "Stores", "stores-bench",
        ["CivilTime", "Geodesy", "PluginKit", "StoreTrials", "TrailStores", grdb, sqlite],
        // Damaged stores, which the tests repair too.
        beside: .target(
            name: "StoreTrials", dependencies: ["PluginTestKit", "StoresPlugin"] + pluginDependencies,
            path: "Tests/Benchmarks/StoreTrials", swiftSettings: strict)),
    benchmark(
        "Sync", "sync-bench", ["SyncTrials"],
        // A private database server and killed processes, which the tests use, too.
        beside: .target(
            name: "SyncTrials",
            dependencies: ["CFaultyDisk", "CSpawn", "PluginTestKit", "SyncPlugin"] + pluginDependencies,
            path: "Tests/Benchmarks/SyncTrials",
            swiftSettings: strict),
        // A layer under SQLite that fails like a faulty disk.
        .target(name: "CFaultyDisk", dependencies: [sqlite], path: "Tests/Benchmarks/CFaultyDisk")),
].flatMap { $0 }

func benchmark(
    _ plugin: String, _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
    with others: [String] = [], beside: Target...
) -> [Target] {
    let arePresent = ([plugin] + others).allSatisfy { name in features.contains { $0.name == name } }
    guard arePresent else { return [] }
    let program = Target.executableTarget(
        name: name, dependencies: dependencies + ([plugin] + others).map { .byName(name: "\($0)Plugin") },
        path: "Tests/Benchmarks/\(plugin)", exclude: exclude, swiftSettings: strict)
    return beside + [program]
}

let package = Package(
    name: "rutter",
    products: [
        .executable(name: "rutter", targets: ["rutter"]),
        .library(name: "RutterPlugin", targets: ["RutterPlugin"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ]
        + (features.contains { $0.name == "Web" }
            ? [.package(url: "https://github.com/apple/swift-nio", from: "2.101.2")] : []),
    targets: [
        // C libraries, each loaded when it is first used. None is linked, and a missing header disables only the
        // features that need it.
        .target(name: "CLazyLibrary", path: "Sources/CLazyLibrary"),
        lazyLibrary("CArchive"),
        lazyLibrary("CCairo"),
        lazyLibrary("CCrypto"),
        lazyLibrary("CDeflate"),
        // Runs in a separate process, as CSofa does.
        lazyLibrary("CHeif"),
        lazyLibrary("CHttp"),
        lazyLibrary("COsmium", ["CZlib"]),
        lazyLibrary("CTiff"),
        lazyLibrary("CMarkdown"),
        lazyLibrary("CPhoto"),
        lazyLibrary("CPostgres"),
        // Runs in a separate process, because the library can crash on a damaged file.
        lazyLibrary("CSofa"),
        lazyLibrary("CSQLCipher"),
        lazyLibrary("CXml"),
        lazyLibrary("CZeroMQ"),
        lazyLibrary("CZlib"),
        lazyLibrary("CZones"),
        .target(name: "CSpawn", path: "Sources/CSpawn"),
        // The tour, the lessons, the sample data and the licences.
        .target(
            name: "CMaterial", path: "Sources/CMaterial", exclude: ["Licenses"],
            // The commit that a released program says it was built from.
            cSettings: [.define("RUTTER_COMMIT", to: "\"\(Context.environment["RUTTER_COMMIT"] ?? "")\"")]),
        .target(
            name: "CLibEdit", path: "Sources/CLibEdit",
            linkerSettings: [.linkedLibrary("edit")]),
        .target(
            name: "Geodesy", path: "Sources/Geodesy", resources: [.embedInCode("Data/wmm2025.txt")],
            swiftSettings: settings("Geodesy")),
        library("CivilTime"),
        library("TextWidth"),
        library(
            "Core",
            [
                "CArchive", "CCairo", "CCrypto", "CHeif", "CPhoto", "CSpawn", "CXml", "CZlib", "CZones",
                "TextWidth",
            ]),
        library("Archives", ["CArchive", "CZlib", "Core"]),
        library("Fetching", ["CHttp", "Core"]),
        library("PluginKit", ["Archives", "CivilTime", "Core", "Geodesy", logging]),
        library("TurnInstructions", ["Core", "Geodesy", "PluginKit"]),
        library("TracePictures", ["Pictures", "PluginKit"]),
        library("Formats", ["Archives", "CXml", "CivilTime", "Core", "Geodesy"], exclude: ["README.md"]),
        library(
            "TrailStores",
            [
                "Archives", "CDeflate", "CZlib", "CivilTime", "Core", "Formats", "Geodesy", "Photos",
                "PluginKit",
                grdb, sqlite,
            ]),
        library("Photos", ["CCairo", "CHeif", "CPhoto", "CZones", "CivilTime", "Core", "Geodesy"]),
        library("Pictures", ["CCairo", "CZlib", "CivilTime", "Core", "Geodesy", "Photos"]),
        .target(
            name: "Cartography",
            dependencies: [
                "CCairo", "CZlib", "Core", "Geodesy", "Pictures", "PluginKit", "TrailStores", grdb, sqlite,
            ],
            path: "Sources/Cartography", exclude: ["README.md"],
            resources: [.embedInCode("Data/kinds.txt"), .embedInCode("Data/topo.style")],
            swiftSettings: strict),
        library("LineEditing", ["CLibEdit", "TextWidth"]),
        // A bare prompt, which the tests of the line editor drive through a pseudo-terminal.
        .executableTarget(
            name: "lineediting-demo", dependencies: ["LineEditing"], path: "Sources/LineEditingDemo",
            swiftSettings: strict),
        library(
            "Workbench",
            [
                "Archives", "CMaterial", "Cartography", "CivilTime", "Core", "Formats", "Geodesy",
                "Notebooks",
                "Pages", "Pictures", "PluginKit", "TrailStores",
                logging,
            ],
            exclude: ["Documentation"]),
        // Players and notebooks as pages: their style and script are files that can be served, too.
        .target(
            name: "Pages",
            dependencies: ["CMarkdown", "Core", "Formats", "Geodesy", "Notebooks", "Pictures"],
            path: "Sources/Pages", exclude: ["README.md"],
            resources: [
                .embedInCode("Resources/exercise.js"), .embedInCode("Resources/page.css"),
                .embedInCode("Resources/player.js"),
            ],
            swiftSettings: strict),
        library("Notebooks", ["Core", yams], exclude: ["README.md"]),
        library(
            "JupyterKernel",
            ["CZeroMQ", "CivilTime", "Core", "Formats", "Notebooks", "PluginKit", "Workbench", logging],
            exclude: ["README.md"]),
        .target(
            name: "ForeignPlugins",
            dependencies: ["CivilTime", "Core", "Formats", "Geodesy", "Pictures", "PluginKit", logging],
            path: "Sources/ForeignPlugins", exclude: ["README.md"],
            resources: [
                .embedInCode("Kits/rutter_plugin.py"), .embedInCode("Kits/RutterPlugin.swift.txt"),
                .embedInCode("Kits/messages.schema.json"),
            ],
            swiftSettings: strict),
        library("TerminalTestKit", ["CSpawn"]),
        // The kit for plugins in Swift; it has no dependencies.
        library("RutterPlugin"),
        library("PluginTestKit", ["CivilTime", "Core", "PluginKit", "Workbench", "Notebooks", logging]),
        // A plugin in Swift, as an example that is tested.
        .executableTarget(
            name: "locator-plugin", dependencies: ["RutterPlugin"], path: "Notebooks/plugins/locator",
            exclude: ["plugin.json"], swiftSettings: strict),
        // A plugin that does everything a plugin must not do.
        .executableTarget(name: "hostile-plugin", path: "Tests/HostilePlugin", swiftSettings: strict),
        // Photos for the tests of photos and of pictures.
        .target(
            name: "PhotoFixtures", dependencies: ["Photos", "Pictures", "PluginTestKit"],
            path: "Tests/PhotoFixtures", swiftSettings: strict),
        // A worker whose session has a few made-up commands, one of which crashes it.
        .executableTarget(
            name: "FakeNotebookWorker", dependencies: ["Notebooks"], path: "Tests/FakeNotebookWorker",
            swiftSettings: strict),
        .executableTarget(
            name: "rutter",
            dependencies: [
                "CivilTime", "ForeignPlugins", "Formats", "JupyterKernel", "LineEditing", "Notebooks",
                "PluginKit",
                "Workbench",
                arguments, grdb, logging,
            ]
                + features.map(\.module),
            path: "Sources/rutter", swiftSettings: strict, linkerSettings: [quickStart],
            plugins: ["BuiltInPlugins"]),
        .plugin(name: "BuiltInPlugins", capability: .buildTool(), path: "Sources/BuiltInPlugins"),
        .executableTarget(
            name: "rutter-bench",
            dependencies: [
                "ForeignPlugins", "hostile-plugin", "CivilTime", "Formats", "Geodesy", "Notebooks",
                "PluginKit", "PluginTestKit", "TrailStores", "Workbench",
                logging,
                sqlite,
            ],
            path: "Tests/Benchmarks/Workbench", swiftSettings: strict),
        .executableTarget(
            name: "pictures-bench", dependencies: ["Cartography", "Geodesy", "Pictures"],
            path: "Tests/Benchmarks/Pictures", exclude: ["compare-mapnik.py"], swiftSettings: strict),
    ] + pluginTargets + benchmarks
        + tests("GeodesyTests", ["Geodesy"])
        + tests("CivilTimeTests", ["CivilTime"])
        + tests("ArchivesTests", ["Archives", "Core", "PluginTestKit"])
        + tests("CoreTests", ["Core", "PluginTestKit", "TextWidth"])
        + tests("FormatsTests", ["CivilTime", "Formats", "Geodesy", "PluginKit", "PluginTestKit"])
        + tests("PluginKitTests", ["CivilTime", "Geodesy", "PluginKit", "PluginTestKit"])
        + tests(
            "TrailStoresTests",
            ["CivilTime", "Formats", "Geodesy", "PluginKit", "PluginTestKit", "TrailStores", grdb])
        + tests("TurnInstructionsTests", ["Geodesy", "PluginKit", "TurnInstructions"])
        + tests(
            "CartographyTests",
            ["Cartography", "Core", "Geodesy", "Pictures", "PluginTestKit", "TrailStores", grdb])
        + tests("PicturesTests", ["Core", "Geodesy", "PhotoFixtures", "Photos", "Pictures", "PluginTestKit"])
        + tests(
            "PhotosTests",
            ["CivilTime", "Core", "Geodesy", "PhotoFixtures", "Photos", "Pictures", "PluginTestKit"])
        + tests("LineEditingTests", ["LineEditing", "CLibEdit", "TerminalTestKit", "lineediting-demo"])
        + tests(
            "WorkbenchTests",
            [
                "CivilTime", "Formats", "Geodesy", "Notebooks", "Pages", "Pictures", "PluginKit",
                "PluginTestKit",
                "Workbench",
                logging, grdb,
            ])
        + tests(
            "ForeignPluginsTests",
            [
                "CivilTime", "Core", "ForeignPlugins", "Formats", "Geodesy", "PluginKit", "PluginTestKit",
                "Workbench", "hostile-plugin", "locator-plugin", logging,
            ])
        + tests(
            "JupyterKernelTests",
            ["CZeroMQ", "Core", "Formats", "JupyterKernel", "Notebooks", "PluginKit", "Workbench", logging])
        + tests("PagesTests", ["Core", "Formats", "Geodesy", "Notebooks", "Pages", "Pictures"])
        + tests("NotebooksTests", ["Core", "Notebooks", "PluginTestKit", "FakeNotebookWorker", yams])
        + tests(
            "RutterTests", ["PluginKit", "PluginTestKit", "TerminalTestKit", "Workbench", "rutter", grdb]),
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
