import Formats
import Foundation
import PluginKit

/// The scene options shared by `beacon render` and `beacon play`.
struct SceneOptions: Sendable {
    private let listener: ListenerOptions
    private let seconds: Double?
    private let head: HeadOptions
    private let placing: PlacementCalculator
    private let followed: String?
    private let marksFacing: Bool

    static let parameter = Parameter.group(
        ListenerOptions.parameter,
        .option(
            "seconds", .number(0...BeaconSettings.longestSound),
            "length in seconds; default: 10, or the length of the walk"),
        HeadOptions.parameter, BeaconOptions.placing,
        BeaconOptions.follow,
        .flag("facing", "a tick each second while a beacon is faced"),
        make: Self.init(listener:seconds:head:placing:followed:marksFacing:))

    /// A scene with its notices.
    struct Scene {
        let sound: SceneSound
        let lineup: AudibleSources
        let head: any HeadModel
        let seconds: Double

        /// The sources whose first ping is within the scene, and those that it is too short for: pings are staggered.
        var audible: (heard: [Source], late: [Source]) {
            let count = Double(max(1, lineup.sources.count))
            var (heard, late): ([Source], [Source]) = ([], [])
            for (index, source) in lineup.sources.enumerated() {
                if source.tone.pingInterval * Double(index) / count < seconds {
                    heard.append(source)
                } else {
                    late.append(source)
                }
            }
            return (heard, late)
        }
    }

    /// Default length in seconds of a scene without a walk.
    private static let usual = 10.0

    func scene(_ context: Context) throws -> Scene {
        let path = try listener.path(context, follows: followed != nil)
        let head = try head.model()
        let seconds =
            seconds ?? (path.duration > 0 ? min(path.duration, BeaconSettings.longestSound) : Self.usual)
        let set = try BeaconStore(context).load()
        let lineup = AudibleSources(
            set, from: path.pose(at: 0).coordinate, following: try set.following(followed))
        return Scene(
            sound: SceneSound(
                lineup, path: path, placing: placing, head: head, seconds: seconds, marksFacing: marksFacing),
            lineup: lineup, head: head, seconds: seconds)
    }

    /// Renders a scene into a file and returns a summary.
    static func write(_ scene: Scene, to url: URL, force: Bool, _ context: Context) throws -> Record {
        let file = try WAVFile(url, frames: scene.sound.frames, format: BeaconSettings.format, force: force)
        var frames = 0
        let outcome = try scene.sound.render(check: context.checkCancelled) { samples in
            try file.write(samples)
            frames += samples.count / 2
            context.progress.report("rendering", done: frames, of: scene.sound.frames)
        }
        try file.finish()
        let (heard, late) = scene.audible
        let names = heard.map { Value.text($0.name) }
        let notices = [
            scene.lineup.notice,
            late.isEmpty ? nil : "too short to hear " + late.map(\.name).joined(separator: ", "),
            outcome.passed.isEmpty
                ? nil : "passed without being reached: " + outcome.passed.joined(separator: ", "),
        ].compactMap(\.self)
        return Record([
            ("file", .text(url.lastPathComponent)),
            ("seconds", .quantity(Quantity(scene.seconds, .duration))),
            ("method", .text(scene.head.description)), ("sources", .list(names)),
            ("arrivals", .list(outcome.arrivals.map(Value.text))),
            ("left", level(outcome.energy.left, scene.sound.frames)),
            ("right", level(outcome.energy.right, scene.sound.frames)),
            ("peak", .number((Double(outcome.peak) * 1000).rounded() / 1000)),
            ("limited", .integer(outcome.limited)),
            ("notice", notices.isEmpty ? .nothing : .text(notices.joined(separator: "; "))),
        ])
    }

    /// A mean level in decibels below full scale; `.nothing` for silence.
    private static func level(_ energy: Double, _ frames: Int) -> Value {
        guard energy > 0, frames > 0 else { return .nothing }
        return .number((10 * log10(energy / Double(frames)) * 10).rounded() / 10)
    }
}

/// `beacon render`
struct BeaconRender: CommandProvider {
    var name: String { "beacon render" }

    var command: Command {
        Command(
            name, "render what the listener hears to a WAV file",
            details: """
                Stereo for headphones, 48 kHz, 16 bits. North and each enabled beacon ping with their own tone, 4 m \
                away in their direction, through a measured head-related transfer function (--sofa, else the \
                system's) or, with --simple or without such a file, by the time and level difference between the \
                ears; `method` names the one used. Behind (125°–235°) sounds duller; within 20 m of a beacon a tone \
                without direction is heard. left and right are mean levels in decibels below full scale; peak is the \
                greatest level before limiting, which starts at 0.9. With --follow the beacons of a group are a route \
                (`beacon route`): one sounds at a time, and within 20 m of it, or of the one after it, its arrival is heard \
                for \(Literal.number(BeaconSettings.arrivalCue)) s, then the next. One that is passed within \
                \(Literal.number(BeaconSettings.passingRadius)) m is skipped without an arrival and named \
                in `notice`. With --facing, a high tick is heard each \
                second while one faces a beacon, within \(Literal.number(BeaconSettings.facing))°.
                """,
            SceneOptions.parameter,
            .requiredOption("out", .outputFile, "WAV file to write"),
            BeaconOptions.force,
            output: .value("record"), effect: .reads,
            examples: [
                .init(
                    "two seconds",
                    "beacon render --place 0.5,0.5 --heading 0deg --seconds 2 --simple --out s.wav | get method",
                    after: ["beacon add home 0.5,0.51"], gives: "time and level difference"),
                .init(
                    "turning",
                    "beacon render --place 0.5,0.5 --turn 90deg/1s --seconds 1 --simple --out t.wav | get seconds",
                    gives: "1s"),
            ],
            searchTerms: [
                "turn my head", "rotate my head",
                "mix", "mix beacons", "several beacons at once", "audio", "sound", "spatial", "binaural",
                "hrtf", "wav",
            ]
        ) { context, options, url, force in
            let scene = try options.scene(context)
            if let tracing = context.tracing {
                let steps = scene.sound.trace(limit: tracing.limit)
                tracing.keep(steps.log, picture: steps.picture)
            }
            return .record(try SceneOptions.write(scene, to: url, force: force, context))
        }.deciding(
            "beacon render --place 0.5,0.5 --turn 90deg/1s --seconds 2 --simple --out s.wav",
            after: ["beacon add home 0.5,0.51"])
    }
}

/// `beacon play`
struct BeaconPlay: CommandProvider {
    var name: String { "beacon play" }

    var command: Command {
        Command(
            name, "play what the listener hears",
            details: """
                Renders as `beacon render` does and plays the result with the first of pw-play, paplay, aplay, play and \
                ffplay that works. Ctrl-C stops it. It fails in a notebook, which can render to a file instead.
                """,
            SceneOptions.parameter,
            output: .value("record"), effect: .reads,
            examples: [
                .init(
                    "a listener is required",
                    "expect-error E-BEACON-LISTENER beacon play --seconds 1",
                    after: ["beacon add home 0.5,0.51"],
                    gives: "the listener's coordinate is missing, which home must be heard from")
            ],
            searchTerms: [
                "beep that guides", "beep",
                "sound that leads me", "hear the direction", "listen", "hear", "speaker", "headphones",
                "audio", "sound", "spatial audio", "where the goal is", "stereo", "3d sound", "blind",
            ]
        ) { context, options in
            let scene = try options.scene(context)
            guard context.files.writable == nil else {
                throw BeaconErrors.sound(
                    "a notebook cannot play sound", fix: "beacon render … --out scene.wav")
            }
            let folder = try FileManager.default.scratchFolder("play")
            defer { FileManager.default.discard(folder) }
            let file = folder.appendingPathComponent("scene.wav")
            var record = try SceneOptions.write(scene, to: file, force: false, context)
            record["file"] = .nothing
            record["player"] = .text(try await SystemSound.play(file, context: context))
            return .record(record)
        }
    }
}
