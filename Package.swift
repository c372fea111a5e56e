// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// The plugins that are built in, by their folders under Plugins/: a line each. Deleting a plugin's folder, its line
/// here and its lines in Sources/rutter/BuiltInPlugins.swift deletes the plugin.
let plugins = [
    "Beacons",
    "Export",
    "Guidance",
    "Hikes",
    "Places",
    "Routing",
    "Stores",
    "Sync",
    "Transit",
    "Waypoints",
]

let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
}

/// Language settings of every target of ours.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
/// SQLite's own functions, for rows by the hundred thousand.
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let collections = Target.Dependency.product(name: "Collections", package: "swift-collections")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

func library(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(name)", exclude: exclude,
        swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> [Target] {
    guard exists("Tests/\(name)") else { return [] }
    return [.testTarget(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict)]
}

/// Links Swift's own libraries into the program, at fixed addresses: looking up and moving their hundred thousand
/// symbols at each start takes longer than all the rest of the start.
let quickStart = LinkerSetting.unsafeFlags(
    ["-static-stdlib", "-Xclang-linker", "-no-pie"]
        + [
            "FoundationInternationalization", "FoundationEssentials", "CoreFoundation", "_FoundationICU",
            "_FoundationCShims", "_FoundationCollections", "swiftSynchronization",
        ].map { "-l\($0)" },
    .when(configuration: .release))

func systemLibrary(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// What any plugin may use. C libraries that only one plugin needs are added by its name.
let pluginDependencies: [Target.Dependency] = [
    "CivilTime", "Formats", "Geodesy", "PluginKit", "TrailStores", "TurnInstructions", "Pictures", grdb,
    logging,
    collections,
]
let extraPluginDependencies: [String: [Target.Dependency]] = [
    "Beacons": ["CSofa"],
    "Places": ["CHttp"],
    "Routing": ["CArchive", "COsmium", sqlite],
    "Stores": ["CArchive", sqlite],
    "Sync": ["COpenSSL", "CPostgres", sqlite],
    "Transit": ["CArchive", sqlite],
]

/// Plugins whose commands another one's tests use, where they are there.
let extraTestDependencies: [String: [String]] = ["Sync": ["Waypoints"]]
/// What else the tests of a plugin use: what they share with its benchmark, and a terminal.
let testSupport: [String: [Target.Dependency]] = [
    "Sync": ["SyncTrials", "TerminalTestKit"], "Transit": ["TransitReference"],
]

let pluginTargets: [Target] = plugins.flatMap { name -> [Target] in
    let target = Target.target(
        name: "\(name)Plugin",
        dependencies: pluginDependencies + extraPluginDependencies[name, default: []],
        path: "Plugins/\(name)",
        exclude: ["README.md"],
        swiftSettings: strict)
    guard exists("Tests/Plugins/\(name)") else { return [target] }
    let test = Target.testTarget(
        name: "\(name)PluginTests",
        dependencies: [.byName(name: "\(name)Plugin"), "PluginTestKit", "Workbench"] + pluginDependencies
            + testSupport[name, default: []]
            + extraTestDependencies[name, default: []].filter { plugins.contains($0) }.map {
                .byName(name: "\($0)Plugin")
            },
        path: "Tests/Plugins/\(name)",
        swiftSettings: strict
            + extraTestDependencies[name, default: []].filter { plugins.contains($0) }.map {
                .define("HAS_\($0.uppercased())")
            })
    return [target, test]
}

/// Programs that measure: one for each plugin that has them.
let benchmarks: [Target] = [
    benchmark("Export", "export-bench", ["PluginTestKit"] + pluginDependencies),
    benchmark(
        "Routing", "routing-bench",
        ["RoutingBaseline", "CivilTime", "Geodesy", "PluginKit", "Workbench", grdb, logging],
        exclude: ["compare-routers.py", "test_compare_routers.py"],
        // The same A* in C++, to compare with.
        beside: .target(name: "RoutingBaseline", path: "Tests/Benchmarks/RoutingBaseline")),
    benchmark("Beacons", "beacons-bench", ["Geodesy", "PluginKit", "TrailStores", grdb]),
    benchmark("Guidance", "guidance-bench", ["CivilTime", "Geodesy", "PluginKit"]),
    benchmark(
        "Transit", "transit-bench", ["Geodesy", "PluginKit", "TrailStores", "TransitReference", grdb],
        // Departures worked out slowly, to compare with.
        beside: .target(
            name: "TransitReference", dependencies: ["PluginKit", "TransitPlugin"],
            path: "Tests/TransitReference",
            swiftSettings: strict)),
    benchmark(
        "Stores", "stores-bench", ["CivilTime", "Geodesy", "PluginKit", "TrailStores", grdb, sqlite]),
    benchmark(
        "Sync", "sync-bench", ["SyncTrials"],
        // A database server of one's own, and processes that are killed: the tests use them too.
        beside: .target(
            name: "SyncTrials", dependencies: ["CSpawn", "PluginTestKit", "SyncPlugin"] + pluginDependencies,
            path: "Tests/Benchmarks/SyncTrials",
            swiftSettings: strict)),
].flatMap { $0 }

func benchmark(
    _ plugin: String, _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
    beside: Target? = nil
) -> [Target] {
    guard plugins.contains(plugin), exists("Tests/Benchmarks/\(plugin)") else { return [] }
    let program = Target.executableTarget(
        name: name, dependencies: dependencies + [.byName(name: "\(plugin)Plugin")],
        path: "Tests/Benchmarks/\(plugin)", exclude: exclude, swiftSettings: strict)
    return [beside, program].compactMap { $0 }
}

let package = Package(
    name: "rutter",
    products: [
        .executable(name: "rutter", targets: ["rutter"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        systemLibrary("CCairo", pkgConfig: "pangocairo", apt: "libpango1.0-dev"),
        .target(
            name: "CPhoto", path: "Sources/CPhoto",
            linkerSettings: [.linkedLibrary("jpeg"), .linkedLibrary("exif")]),
        systemLibrary("COpenSSL", pkgConfig: "libcrypto", apt: "libssl-dev"),
        systemLibrary("CArchive", pkgConfig: "libarchive", apt: "libarchive-dev"),
        // OSM files: libosmium is headers alone; what they need is linked here.
        .target(
            name: "COsmium", path: "Sources/COsmium", cxxSettings: [.define("NDEBUG")],
            linkerSettings: ["z", "bz2", "expat", "lz4", "pthread"].map { .linkedLibrary($0) }),
        // libpq, loaded when it is first used.
        .target(name: "CPostgres", path: "Sources/CPostgres", linkerSettings: [.linkedLibrary("dl")]),
        // HTTP by libcurl, which is loaded when it is first needed: it takes longer to load than all the rest.
        .target(name: "CHttp", path: "Sources/CHttp"),
        // Measured heads: libmysofa, in a process of its own, because it can crash on a damaged file.
        .target(
            name: "CSofa", path: "Sources/CSofa", cSettings: [.define("_GNU_SOURCE")],
            linkerSettings: [.linkedLibrary("mysofa"), .linkedLibrary("m")]),
        .target(name: "CSpawn", path: "Sources/CSpawn"),
        systemLibrary("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        systemLibrary("CLibXML2", pkgConfig: "libxml-2.0", apt: "libxml2-dev"),
        .target(name: "CXml", dependencies: ["CLibXML2"], path: "Sources/CXml"),
        .target(
            name: "CLibEdit", path: "Sources/CLibEdit",
            linkerSettings: [.linkedLibrary("edit")]),
        library("Geodesy"),
        library("CivilTime"),
        library("Core"),
        library("PluginKit", ["CivilTime", "Core", "Geodesy", logging]),
        library("TurnInstructions", ["Core", "Geodesy", "PluginKit"]),
        library("Formats", ["CXml", "CivilTime", "Core", "Geodesy"], exclude: ["README.md"]),
        library(
            "TrailStores", ["CZlib", "CivilTime", "Core", "Formats", "Geodesy", "PluginKit", grdb, sqlite]),
        library("Pictures", ["CCairo", "CPhoto", "Core", "Geodesy"]),
        library("LineEditing", ["CLibEdit"]),
        // A bare prompt, which the tests of the line editor drive through a pseudo-terminal.
        .executableTarget(
            name: "lineediting-demo", dependencies: ["LineEditing"], path: "Sources/LineEditingDemo",
            swiftSettings: strict),
        library(
            "Workbench",
            ["CivilTime", "Core", "Formats", "Geodesy", "Notebooks", "Pictures", "PluginKit", logging],
            exclude: ["Documentation"]),
        library("Notebooks", ["COpenSSL", "CSpawn", "Core", yams]),
        library("TerminalTestKit", ["CSpawn"]),
        library("PluginTestKit", ["CivilTime", "PluginKit", "Workbench", "Notebooks", logging]),
        // A worker whose session has a few made-up commands, one of which crashes it.
        .executableTarget(
            name: "FakeNotebookWorker", dependencies: ["Notebooks"], path: "Tests/FakeNotebookWorker",
            swiftSettings: strict),
        .executableTarget(
            name: "rutter",
            dependencies: [
                "CivilTime", "Formats", "LineEditing", "Notebooks", "PluginKit", "Workbench", arguments, grdb,
                logging,
            ]
                + plugins.map { .byName(name: "\($0)Plugin") },
            path: "Sources/rutter", swiftSettings: strict, linkerSettings: [quickStart]),
        .executableTarget(
            name: "rutter-bench",
            dependencies: [
                "CivilTime", "Formats", "Geodesy", "Notebooks", "PluginKit", "TrailStores", "Workbench",
                logging,
                sqlite,
            ],
            path: "Tests/Benchmarks/Workbench", swiftSettings: strict),
    ] + pluginTargets + benchmarks
        + tests("GeodesyTests", ["Geodesy"])
        + tests("CivilTimeTests", ["CivilTime"])
        + tests("CoreTests", ["Core"])
        + tests("FormatsTests", ["CivilTime", "Formats", "Geodesy", "PluginKit", "PluginTestKit"])
        + tests("PluginKitTests", ["CivilTime", "Geodesy", "PluginKit"])
        + tests(
            "TrailStoresTests",
            ["CivilTime", "Formats", "Geodesy", "PluginKit", "PluginTestKit", "TrailStores", grdb])
        + tests("TurnInstructionsTests", ["Geodesy", "PluginKit", "TurnInstructions"])
        + tests("PicturesTests", ["Core", "Pictures", "Geodesy"])
        + tests("LineEditingTests", ["LineEditing", "CLibEdit", "TerminalTestKit", "lineediting-demo"])
        + tests(
            "WorkbenchTests",
            [
                "CivilTime", "Formats", "Geodesy", "Notebooks", "Pictures", "PluginKit", "PluginTestKit",
                "Workbench",
                logging,
            ])
        + tests("NotebooksTests", ["Notebooks", "FakeNotebookWorker", yams])
        + tests(
            "RutterTests", ["PluginKit", "PluginTestKit", "TerminalTestKit", "Workbench", "rutter", grdb]),
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
