import Foundation
import PluginKit

/// What `beacon render` and `beacon play` share: a scene from arguments.
struct SceneOptions {
    let listener = ListenerOptions()
    let head = HeadOptions()
    private let seconds = Parameter.option(
        "seconds", ParameterType<Double>.number(0...BeaconSettings.longestSound),
        "how long, in seconds; 10, or as long as the walk")

    var specs: [ParameterSpec] { listener.specs + [seconds.spec] + head.specs + [FadeOption.fade.spec] }

    /// A scene, and what to tell of it.
    struct Scene {
        let sound: SceneSound
        let lineup: Lineup
        let head: any HeadModel
        let seconds: Double
    }

    /// Seconds of a scene in which nobody walks, unless told otherwise.
    private static let usual = 10.0

    func scene(_ arguments: Arguments, _ context: Context) throws -> Scene {
        let path = try listener.path(arguments, context)
        let head = try head.head(arguments)
        let wanted = path.duration > 0 ? min(path.duration, BeaconSettings.longestSound) : Self.usual
        let seconds = try arguments[seconds] ?? wanted
        let lineup = Lineup(try BeaconStore(context).load(), from: path.pose(at: 0).place)
        return Scene(
            sound: SceneSound(
                lineup, path: path, placing: try FadeOption.placing(arguments), head: head, seconds: seconds),
            lineup: lineup, head: head, seconds: seconds)
    }

    /// Renders a scene into a file and tells what came of it.
    static func write(_ scene: Scene, to url: URL, force: Bool, _ context: Context) throws -> Record {
        let file = try WAVFile(url, frames: scene.sound.frames, force: force)
        var frames = 0
        let outcome = try scene.sound.render(check: context.checkCancelled) { samples in
            try file.write(samples)
            frames += samples.count / 2
            context.progress.report("rendering", done: frames, of: scene.sound.frames)
        }
        try file.finish()
        let names = scene.lineup.sources.map { Value.text($0.name) }
        return Record([
            ("file", .text(url.lastPathComponent)),
            ("seconds", .quantity(Quantity(scene.seconds, .duration))),
            ("method", .text(scene.head.description)), ("sources", .list(names)),
            ("arrivals", .list(outcome.arrivals.map(Value.text))),
            ("left", level(outcome.energy.left, scene.sound.frames)),
            ("right", level(outcome.energy.right, scene.sound.frames)),
            ("peak", .number((Double(outcome.peak) * 1000).rounded() / 1000)),
            ("limited", .integer(outcome.limited)), ("notice", Value(scene.lineup.notice, Value.text)),
        ])
    }

    /// A mean level in decibels below full scale; none of silence.
    private static func level(_ energy: Double, _ frames: Int) -> Value {
        guard energy > 0, frames > 0 else { return .nothing }
        return .number((10 * log10(energy / Double(frames)) * 10).rounded() / 10)
    }
}

/// `beacon render`
struct BeaconRender: LegacyCommand {
    private static let scene = SceneOptions()
    private static let out = Parameter.option("out", ParameterType<URL>.outputFile, "the WAV file to write")
    private static let force = Parameter.flag("force", "overwrite an existing file")

    let spec = CommandSpec(
        "beacon render", "renders what the listener hears to a stereo WAV file for headphones",
        details: """
            48 kHz, 16 bits. Each enabled beacon and north ping at their own tone, 4 m away in their direction, through a \
            measured head-related transfer function (--sofa, else the system's) or, with --simple or where there is none, \
            by the difference of time and level between the ears; `method` says which. Behind (125°–235°) sounds duller; \
            within 20 m of a place a tone without direction says so. left and right are mean levels in decibels below full \
            scale; peak is the greatest level before what is beyond 0.9 is bent to stay below 1.
            """,
        parameters: scene.specs + [out.spec, force.spec], output: .value("record"), effect: .reads,
        examples: [
            .init(
                "two seconds",
                "beacon render --at 0.5,0.5 --heading 0deg --seconds 2 --simple --out s.wav | get method",
                after: ["beacon add home 0.5,0.51"], gives: "time and level difference"),
            .init(
                "turning",
                "beacon render --at 0.5,0.5 --turn 90deg/1s --seconds 1 --simple --out t.wav | get seconds",
                gives: "1s"),
        ], searchTerms: ["audio", "sound", "spatial", "binaural", "hrtf", "wav"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        guard let url = try arguments[Self.out] else {
            throw BeaconErrors.listener("the file to write is missing", fix: "--out scene.wav")
        }
        let scene = try Self.scene.scene(arguments, context)
        return .record(
            try SceneOptions.write(scene, to: url, force: try arguments[Self.force], context))
    }
}

/// `beacon play`
struct BeaconPlay: LegacyCommand {
    private static let scene = SceneOptions()

    let spec = CommandSpec(
        "beacon play", "plays what the listener hears through the system's sound",
        details: """
            Renders as `beacon render` does and plays the result with pw-play, paplay or aplay, whichever is there first. \
            Ctrl-C stops it. A notebook does not play: it renders to a file.
            """,
        parameters: scene.specs, output: .value("record"), effect: .reads,
        examples: [
            .init(
                "the listener must be somewhere", "expect-error E-BEACON-LISTENER beacon play --seconds 1",
                gives: "where the listener stands is missing")
        ], searchTerms: ["listen", "hear", "speaker", "headphones"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let scene = try Self.scene.scene(arguments, context)
        guard context.files.writable == nil else {
            throw BeaconErrors.sound("a notebook does not play sound", fix: "beacon render … --out scene.wav")
        }
        let folder = try Self.scratchFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("scene.wav")
        var record = try SceneOptions.write(scene, to: file, force: false, context)
        record["file"] = .nothing
        record["player"] = .text(try await SystemSound.play(file, context: context))
        return .record(record)
    }

    /// A folder of its own: sessions of one seed would make the same names.
    private static func scratchFolder() throws -> URL {
        let template = FileManager.default.temporaryDirectory.appendingPathComponent("rutter-play-XXXXXX")
            .path
        var bytes = Array(template.utf8CString)
        guard mkdtemp(&bytes) != nil else {
            throw CommonErrors.fileAccess(
                "no temporary folder can be made: \(String(cString: strerror(errno)))")
        }
        let path = String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return URL(fileURLWithPath: path, isDirectory: true)
    }
}
