import PluginKit

/// `tone list`
struct ListTones: CommandProvider {
    var name: String { "tone list" }

    var command: Command {
        Command(
            name, "list the tones of beacons",
            output: .rows(ToneObject.columns), effect: .reads,
            examples: [
                .init(
                    "the standard ones", "tone list | select name frequency pingInterval",
                    gives: """
                        name                frequency  pingInterval
                        Default North Tone      830Hz            5s
                        Warm Alternate          600Hz            5s
                        """)
            ], searchTerms: ["which sounds", "chimes", "sound", "profile"]
        ) { context in
            let set = try BeaconStore(context, .tones).load()
            return .table(objects: set.tones.map { ToneObject(tone: $0) }, columns: ToneObject.columns)
        }
    }
}

/// `tone show TONE`
struct ShowTone: CommandProvider {
    var name: String { "tone show" }

    var command: Command {
        Command(
            name, "show all values of a tone",
            BeaconOptions.tone,
            output: .value("tone"), effect: .reads,
            examples: [.init("an attack", "tone show default | get transientFrequency", gives: "3kHz")],
            searchTerms: ["hear a tone", "frequency"]
        ) { context, tone in
            let set = try BeaconStore(context, .tones).load()
            return .object(ToneObject(tone: set.tones[try set.toneIndex(of: tone)]))
        }
    }
}

/// The numbers of a tone as options, one for each field.
struct ToneOptions: Sendable {
    private let values: [(field: ToneField, value: Double)]

    // A value out of range is reported by the tone itself, with the reason.
    static let parameter = ToneField.all.reduce(Parameter.group(make: { Self(values: []) })) {
        options, field in
        let type: ParameterType<Double> =
            switch field.measure {
            case .hertz: .quantity(.frequency)
            case .seconds: .quantity(.duration)
            case .plain: .number()
            }
        return .group(options, .option(field.option, type, field.help)) { options, value in
            Self(values: options.values + (value.map { [(field, $0)] } ?? []))
        }
    }

    var isEmpty: Bool { values.isEmpty }

    /// Sets the given values. Throws `E-BEACON-TONE` if the tone becomes invalid.
    func apply(to tone: inout Tone) throws {
        for (field, value) in values { tone[keyPath: field.path] = value }
        if let fault = tone.fault { throw BeaconErrors.tone(fault) }
    }
}

/// `tone add NAME`
struct AddTone: CommandProvider {
    var name: String { "tone add" }

    var command: Command {
        Command(
            name, "add a tone",
            details: "Omitted values are those of the tone named with --like, or of the first tone.",
            .positional("name", .text, "name of the tone"),
            Parameter<String?>.option("like", .text, "tone to copy omitted values from")
                .completing(.known("tone")),
            ToneOptions.parameter,
            output: .value("tone"), effect: .changes,
            examples: [
                .init(
                    "a high one", "tone add Bell --frequency 1200Hz --ping-interval 2s | get frequency",
                    gives: "1.2kHz"),
                .init(
                    "no sound has 0 Hz", "expect-error E-BEACON-TONE tone add None --frequency 0Hz",
                    gives: "frequency must be between 20 and 20000, not 0"),
            ], searchTerms: ["own sound", "chime", "new sound", "custom sound"]
        ) { context, name, like, options in
            let tone = try BeaconStore(context, .tones).change(in: context) { set in
                try set.checkToneName(name)
                var tone = set.tones[try like.map { try set.toneIndex(of: $0) } ?? 0]
                tone.id = set.freshID(context.random.uuid)
                tone.name = name
                try options.apply(to: &tone)
                set.tones.append(tone)
                return (tone, "added tone \(name)")
            }
            return .object(ToneObject(tone: tone))
        }
    }
}

/// `tone edit TONE`
struct EditTone: CommandProvider {
    var name: String { "tone edit" }

    var command: Command {
        Command(
            name, "change a tone", details: "Beacons with this tone change with it.",
            BeaconOptions.tone,
            .option("name", .text, "new name"),
            ToneOptions.parameter,
            output: .value("tone"), effect: .changes,
            examples: [
                .init(
                    "more often", "tone edit warm --ping-interval 1.5s --echo-delay 0.6s | get pingInterval",
                    gives: "1.5s")
            ],
            searchTerms: [
                "tick faster", "faster when close", "ping rate", "chime", "change a sound", "other chime",
                "pitch", "volume of a sound",
            ]
        ) { context, text, name, options in
            let tone = try BeaconStore(context, .tones).change(in: context) { set in
                let index = try set.toneIndex(of: text)
                var tone = set.tones[index]
                try options.apply(to: &tone)
                guard !options.isEmpty || name != nil else {
                    throw BeaconErrors.nothingToChange("no change is given", fix: "--frequency 700Hz")
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
}
