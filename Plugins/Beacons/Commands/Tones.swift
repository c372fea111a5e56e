import PluginKit

/// `tone list`
struct ListTones: CommandProvider {
    var command: Command {
        Command(
            "tone list", "lists the tones that beacons can have",
            output: .rows(ToneObject.columns), effect: .reads,
            examples: [
                .init(
                    "the standard ones", "tone list | select name frequency pingInterval",
                    gives: """
                        name                frequency  pingInterval
                        Default North Tone      830Hz            5s
                        Warm Alternate          600Hz            5s
                        """)
            ], searchTerms: ["sound", "profile"]
        ) { context in
            let set = try BeaconStore(context, .tones).load()
            return .table(objects: set.tones.map { ToneObject(tone: $0) }, columns: ToneObject.columns)
        }
    }
}

/// `tone show TONE`
struct ShowTone: CommandProvider {
    var command: Command {
        Command(
            "tone show", "shows all numbers of a tone",
            BeaconOptions.tone,
            output: .value("tone"), effect: .reads,
            examples: [.init("an attack", "tone show default | get transientFrequency", gives: "3kHz")]
        ) { context, tone in
            let set = try BeaconStore(context, .tones).load()
            return .object(ToneObject(tone: set.tones[try set.toneIndex(of: tone)]))
        }
    }
}

/// The numbers of a tone as options, each from its declaration.
struct ToneOptions {
    private let options: [(field: ToneField, parameter: Parameter<Double?>)] = ToneField.all.map { field in
        // What is outside of the range is told by the tone itself, with the reason.
        let type: ParameterType<Double> =
            switch field.measure {
            case .hertz: .quantity(.frequency)
            case .seconds: .quantity(.duration)
            case .plain: .number()
            }
        return (field, Parameter.option(field.name, type, field.help))
    }

    var specs: [ParameterSpec] { options.map(\.parameter.spec) }

    /// Sets what was given; whether anything was. Throws `E-BEACON-TONE` where it makes the tone impossible.
    func apply(_ arguments: Arguments, to tone: inout Tone) throws -> Bool {
        var isChanged = false
        for (field, parameter) in options {
            guard let value = try arguments[parameter] else { continue }
            tone[keyPath: field.path] = value
            isChanged = true
        }
        if let fault = tone.fault { throw BeaconErrors.tone(fault) }
        return isChanged
    }
}

/// `tone add NAME`
struct AddTone: LegacyCommand {
    private static let name = Parameter.positional("name", ParameterType<String>.text, "what it is called")
    private static let like = Parameter.option(
        "like", ParameterType<String>.text, "the tone whose numbers it has but for those given"
    ).completing(.known("tone"))
    private static let options = ToneOptions()

    let spec = CommandSpec(
        "tone add", "adds a tone",
        details: "What is not given is as in the tone named with --like, or the first.",
        parameters: [name.spec, like.spec] + options.specs, output: .value("tone"), effect: .changes,
        examples: [
            .init(
                "a high one", "tone add Bell --frequency 1200Hz --pingInterval 2s | get frequency",
                gives: "1.2kHz"),
            .init(
                "no sound has 0 Hz", "expect-error E-BEACON-TONE tone add None --frequency 0Hz",
                gives: "frequency must be between 20 and 20000, not 0"),
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let name = try arguments[Self.name]
        let like = try arguments[Self.like]
        let tone = try BeaconStore(context, .tones).change(in: context) { set in
            try set.checkToneName(name)
            var tone = set.tones[try like.map { try set.toneIndex(of: $0) } ?? 0]
            tone.id = set.freshID(context.random.uuid)
            tone.name = name
            _ = try Self.options.apply(arguments, to: &tone)
            set.tones.append(tone)
            return (tone, "added tone \(name)")
        }
        return .object(ToneObject(tone: tone))
    }
}

/// `tone edit TONE`
struct EditTone: LegacyCommand {
    private static let name = Parameter.option("name", ParameterType<String>.text, "another name")
    private static let options = ToneOptions()

    let spec = CommandSpec(
        "tone edit", "changes a tone", details: "Beacons that have it sound so from then on.",
        parameters: [BeaconOptions.tone.spec, name.spec] + options.specs, output: .value("tone"),
        effect: .changes,
        examples: [
            .init(
                "more often", "tone edit warm --pingInterval 1.5s --echoDelay 0.6s | get pingInterval",
                gives: "1.5s")
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let text = try arguments[BeaconOptions.tone]
        let name = try arguments[Self.name]
        let tone = try BeaconStore(context, .tones).change(in: context) { set in
            let index = try set.toneIndex(of: text)
            var tone = set.tones[index]
            let isChanged = try Self.options.apply(arguments, to: &tone)
            guard isChanged || name != nil else {
                throw BeaconErrors.nothingToChange("nothing is to be changed", fix: "--frequency 700Hz")
            }
            if let name {
                try set.checkToneName(name, except: tone.id)
                tone.name = name
            }
            set.tones[index] = tone
            return (tone, "edited tone \(tone.name)")
        }
        return .object(ToneObject(tone: tone))
    }
}
