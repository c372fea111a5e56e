import PluginKit

/// Resolves beacons by `@name` or by the first letters of their identifier.
struct BeaconReferences: ReferenceResolving {
    let kind = "beacon"
    let firstSteps: String? = "`beacon add` adds one"
    let listing: String? = "beacon list"

    func resolve(_ text: String, context: Context) async throws -> [Reference] {
        guard let set = try BeaconStore.accompanying(context)?.load() else { return [] }
        return set.beacons(named: text).map { reference(set, $0) }
    }

    func complete(_ prefix: String, limit: Int, context: Context) async throws -> [Reference] {
        guard let set = try BeaconStore.accompanying(context)?.load() else { return [] }
        return set.beacons.indices.filter { NameMatch.begins(set.beacons[$0].name, with: prefix) }
            .prefix(limit).map { reference(set, $0) }
    }

    private func reference(_ set: BeaconSet, _ index: Int) -> Reference {
        let object = set.object(index)
        return Reference(
            name: object.beacon.name, detail: "beacon, \(object.beacon.shortID)", object: object)
    }
}

/// The names of beacons or tones, for completion.
struct BeaconCompletions: CompletionSource {
    let kind: String

    func words(context: Context) -> [ParameterKind.Choice] {
        let isTone = kind == "tone"
        // An unreadable store provides no names; commands report the error.
        guard let store = BeaconStore.accompanying(context, isTone ? .tones : .locations),
            let set = try? store.load()
        else { return [] }
        if isTone {
            return set.tones.map {
                ParameterKind.Choice(Self.quoted($0.name), Literal.number($0.frequency) + "Hz")
            }
        }
        return [ParameterKind.Choice(BeaconSettings.northName, "true north")]
            + set.beacons.map { ParameterKind.Choice(Self.quoted($0.name), $0.shortID) }
    }

    private static func quoted(_ name: String) -> String {
        Literal.isBareWord(name) ? name : Literal.quoted(name)
    }
}

/// The beacons on the session's map.
struct BeaconMapContent: MapContent {
    func mapObjects(context: Context) async throws -> [any DomainObject] {
        guard let set = try BeaconStore.accompanying(context)?.load() else { return [] }
        return set.beacons.indices.filter { set.beacons[$0].isEnabled }.map { set.object($0) }
    }
}
