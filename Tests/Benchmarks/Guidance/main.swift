import CivilTime
import Foundation
import Geodesy
import GuidancePlugin
import PluginKit

// A million fixes on a route of 10,000 points, by each matcher, compared with a scan of the whole line for
// every fix.
//
//     swift run -c release guidance-bench [--quick]
//
// With --scores: scores of hard walks along the recorded tracks of the folder of real data. With --held-out
// as well, along tracks that were not used to tune settings: the marked trails of its map extracts.
//
//     swift run -c release guidance-bench --scores [--held-out] [--seeds 20] [--workers 2] [--matcher belief] [--only gap] [--list 10 [--grave]] [--route NAME] [--seed 3] [--pieces 1] [--one-shape] [--noise 0]
//
// With --reroute: scores of walks that leave planned routes of a real region and continue on new ones.
//
//     swift run -c release guidance-bench --reroute [--routes 100]
//
// The last two run the program .build/release/rutter, or that of --program.

/// What is measured.
enum BenchmarkSettings {
    static let points = 10_000
    static let isQuick = CommandLine.arguments.contains("--quick")
    static let fixes = isQuick ? 100_000 : 1_000_000
    /// The plain scan uses fewer: it takes seconds for ten thousand.
    static let scanned = isQuick ? 2_000 : 20_000
    static let sigma = 5.0
}

/// A winding line of points some ten metres apart.
func windingLine(_ random: inout Xoshiro256) -> [Coordinate] {
    var place = Coordinate(latitude: 47.1, longitude: 9.5)
    var direction = 40.0
    var line: [Coordinate] = []
    for _ in 0..<BenchmarkSettings.points {
        line.append(place)
        direction += 60 * (uniform(&random) - 0.5)
        place = place.destination(bearing: direction, distance: 5 + 10 * uniform(&random))
    }
    return line
}

func uniform(_ random: inout Xoshiro256) -> Double { Double(random.next() >> 11) * 0x1p-53 }

/// Fixes of a steady walk with noise, a second apart.
func makeFixes(_ geometry: RouteGeometry, _ random: inout Xoshiro256) -> [PositionFix] {
    var noise = GaussMarkovNoise(sigma: BenchmarkSettings.sigma, timeConstant: 20)
    let step = geometry.length / Double(BenchmarkSettings.fixes)
    return (0..<BenchmarkSettings.fixes).map { index in
        let truth = geometry.coordinate(at: Double(index) * step).withoutAltitude
        return PositionFix(
            noise.shifted(truth, after: 1, &random), time: Timestamp(milliseconds: Int64(index) * 1000))
    }
}

/// Seconds of this thread's processor time, which is independent of other programs.
func seconds(_ work: () -> Void) -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    work()
    return now() - start
}

/// The value of an option of the program.
func option(_ name: String) -> String? {
    guard let index = CommandLine.arguments.firstIndex(of: "--\(name)") else { return nil }
    return CommandLine.arguments.dropFirst(index + 1).first
}

/// The program that plans.
let rutter = URL(fileURLWithPath: option("program") ?? ".build/release/rutter")

func clear(_ program: RutterProgram) {
    do { try program.clear() } catch { print("cannot delete \(program.folder.path): \(error)") }
}

/// The tracks that are walked.
func readTracks(mostPieces: Int) throws -> RecordedRoutes {
    guard CommandLine.arguments.contains("--held-out") else {
        return RecordedRoutes(RecordedRoutes.folder, mostPieces: mostPieces)
    }
    let program = try RutterProgram(rutter)
    defer { clear(program) }
    let folder = program.folder.appendingPathComponent("tracks")
    try HeldOutTracks.write(to: folder, by: program)
    return RecordedRoutes(folder, mostPieces: mostPieces)
}

func measureReroutes() throws {
    let program = try RutterProgram(rutter)
    defer { clear(program) }
    try RerouteBenchmark(
        program: program,
        tracks: RecordedRoutes(RecordedRoutes.folder, mostPieces: .max).routes
            .filter { $0.shape == .oneWay }.map(\.route.geometry.points),
        mostRoutes: option("routes").flatMap { Int($0) } ?? (BenchmarkSettings.isQuick ? 5 : .max)
    ).run()
}

func show(_ name: String, _ rate: Double, _ reference: Double?) {
    let ratio = reference.map { String(format: "  %8.1f × the plain scan", rate / $0) } ?? ""
    let padded = name.padding(toLength: 36, withPad: " ", startingAt: 0)
    print(padded + String(format: "%12.0f fixes/s", rate) + ratio)
}

if CommandLine.arguments.contains("--scores") {
    var settings = GuidanceSettings()
    settings.matcher = option("matcher").flatMap(MatcherKind.init(rawValue:)) ?? settings.matcher
    let mostPieces = option("pieces").flatMap { Int($0) } ?? .max
    let recorded = try readTracks(mostPieces: mostPieces)
    print(recorded.summary)
    ScoreBenchmark(
        seeds: option("seeds").flatMap { Int($0) } ?? (BenchmarkSettings.isQuick ? 1 : 20),
        settings: settings,
        workers: option("workers").flatMap { Int($0) } ?? 2,
        listed: option("list").flatMap { Int($0) } ?? 0,
        routes: recorded.routes(inOneShape: CommandLine.arguments.contains("--one-shape")).filter { route in
            option("route").map { "\(route.name) \(route.shape.rawValue)".contains($0) } ?? true
        },
        only: option("only"), isGrave: CommandLine.arguments.contains("--grave"),
        seed: option("seed").flatMap { Int($0) },
        noise: option("noise").flatMap { Double($0) }
    ).run()
    exit(0)
}

if CommandLine.arguments.contains("--reroute") {
    try measureReroutes()
    exit(0)
}

var random = Xoshiro256(seed: 1)
let line = windingLine(&random)
guard let geometry = RouteGeometry(line),
    let route = GuideRoute(
        name: "bench", mode: .hiking, line: line,
        turns: (1..<500).map { index in
            TurnInstruction(
                coordinate: line[index * 20], direction: .left, bearing: 0, distanceFromPrevious: 0,
                cumulativeDistance: geometry.along[index * 20], trailName: nil, description: "Turn left")
        }, duration: nil, isBareLine: true)
else { fatalError("the line has no length") }
let fixes = makeFixes(geometry, &random)
print("\(fixes.count) fixes, \(geometry.points.count) points, \(Int(geometry.length / 1000)) km")

// The reference: the nearest of all segments, for each fix.
var checksum = 0.0
let spread = stride(from: 0, to: fixes.count, by: fixes.count / BenchmarkSettings.scanned).map { fixes[$0] }
let scan = seconds { for fix in spread { checksum += geometry.scanned(fix.coordinate).distance } }
let reference = Double(spread.count) / scan
show("plain scan of the whole line", reference, nil)
var found = 0.0
let tree = seconds { for fix in spread { found += geometry.nearest(fix.coordinate).distance } }
show("nearest point by the tree", Double(spread.count) / tree, reference)
print(abs(found - checksum) < 1e-3 ? "both find the same points" : "different points: \(found), \(checksum)")

for matcher in [MatcherKind.belief, .window, .nearest, .markov] {
    var settings = GuidanceSettings()
    settings.matcher = matcher
    let engine = GuidanceEngine(route, settings: settings)
    let count = matcher == .markov ? fixes.count / 10 : fixes.count
    var state = GuidanceState()
    var events: [GuidanceEvent] = []
    var none = NoTrace()
    let spent = seconds {
        for index in 0..<count { engine.update(&state, with: fixes[index], events: &events, trace: &none) }
    }
    show("engine, \(matcher.rawValue): \(events.count) events", Double(count) / spent, reference)
}
