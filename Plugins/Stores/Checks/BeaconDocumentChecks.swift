import Formats
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// Checks the rules of `locations.json`.
struct LocationChecks: StoreChecking {
    let kind = StoreKind.locations

    /// Checks every location.
    func check(_ run: CheckRun) throws {
        // If the tones cannot be read, references to them are not checked.
        let tones = try? tones(beside: run.url)
        var identities = Identities()
        var same: [[String]: (position: Int, id: String?)] = [:]
        let repeated = Self.repeatedKeys(run.url)
        var detector = Plausibility.SwapDetector()
        for document in try DocumentFiles(run.url).documents {
            try run.step("locations")
            let entry = DocumentEntry(document, table: "locations", run: run)
            entry.keys(repeated)
            guard let tree = entry.object(DocumentFindings.location) else { continue }
            identities.check(entry, tree, DocumentFindings.location, DocumentFindings.locationTwice)
            coordinate(entry, tree, &detector)
            let mark = [tree["name"]?.text ?? "", tree["coordinate"]?.compactText ?? ""]
            let twin = same.updateValue((document.position ?? 0, tree["id"]?.text), forKey: mark)
            if let twin, twin.id != tree["id"]?.text, !mark[1].isEmpty {
                entry.add(DocumentFindings.same, "name and coordinate are those of entry \(twin.position)")
            }
            if case .boolean? = tree["isEnabled"] {
            } else {
                entry.add(DocumentFindings.location, "isEnabled is \(entry.words(tree["isEnabled"]))")
            }
            guard let tone = tree["toneProfileId"]?.text.flatMap(UUID.init(uuidString:)) else {
                entry.add(DocumentFindings.location, "toneProfileId is \(entry.words(tree["toneProfileId"]))")
                continue
            }
            if let tones, !tones.contains(tone) {
                entry.add(DocumentFindings.tone, "unknown tone \(tone.uuidString)")
            }
        }
        if let count = detector.atOnePlace {
            run.add(
                DocumentFindings.onePlace, table: "locations", "all \(count) locations have one coordinate")
        }
        for place in detector.swapped {
            run.add(
                DocumentFindings.swapped, table: "locations", row: place.row, id: place.id,
                "the others are near \(Literal.number(place.longitude)), \(Literal.number(place.latitude)), not \(Literal.number(place.latitude)), \(Literal.number(place.longitude))"
            )
        }
    }

    /// The keys that are repeated in a file; none if it cannot be read.
    fileprivate static func repeatedKeys(_ url: URL) -> [RepeatedKeys.Found] {
        FileManager.default.contents(atPath: url.path).map(RepeatedKeys.find) ?? []
    }

    private func coordinate(
        _ entry: DocumentEntry, _ tree: JSONTree, _ detector: inout Plausibility.SwapDetector
    ) {
        guard let latitude = tree["coordinate"]?["latitude"]?.number,
            let longitude = tree["coordinate"]?["longitude"]?.number
        else {
            return entry.add(DocumentFindings.location, "coordinate is \(entry.words(tree["coordinate"]))")
        }
        if Plausibility.isNull(latitude, longitude) {
            entry.add(DocumentFindings.zero, "coordinate is 0,0")
        }
        if !Coordinate(latitude: latitude, longitude: longitude).isValid {
            entry.add(
                DocumentFindings.place,
                "coordinate is \(Literal.number(latitude)),\(Literal.number(longitude))")
        } else if !Plausibility.isNull(latitude, longitude) {
            detector.add(Int64(entry.document.position ?? 0), tree["id"]?.text, latitude, longitude)
        }
    }

    private func tones(beside file: URL) throws -> Set<UUID> {
        let url = file.deletingLastPathComponent().appendingPathComponent("tones.json")
        let documents = try DocumentFiles(url).documents
        return Set(documents.compactMap { $0.tree?["id"]?.text.flatMap(UUID.init(uuidString:)) })
    }
}

/// Checks the rules of `tones.json`.
struct ToneChecks: StoreChecking {
    let kind = StoreKind.tones

    /// Checks every tone.
    func check(_ run: CheckRun) throws {
        var identities = Identities()
        let repeated = LocationChecks.repeatedKeys(run.url)
        for document in try DocumentFiles(run.url).documents {
            try run.step("tones")
            let entry = DocumentEntry(document, table: "tones", run: run)
            entry.keys(repeated)
            guard let tree = entry.object(DocumentFindings.toneKey) else { continue }
            identities.check(entry, tree, DocumentFindings.toneKey, DocumentFindings.toneTwice)
            for key in DocumentLayout.toneNumbers {
                guard let number = tree[key]?.number else {
                    entry.add(DocumentFindings.toneKey, "\(key) is \(entry.words(tree[key]))")
                    continue
                }
                if !ToneLimits.range(of: key).contains(number) {
                    entry.add(DocumentFindings.range, "\(key) is \(Literal.number(number))")
                }
            }
            if let duration = tree["pingDuration"]?.number, let interval = tree["pingInterval"]?.number,
                duration > interval
            {
                entry.add(
                    DocumentFindings.range,
                    "pingDuration is \(Literal.number(duration)), longer than pingInterval \(Literal.number(interval))"
                )
            }
        }
    }
}

/// One document under check.
private struct DocumentEntry {
    let document: DocumentFiles.Document
    let table: String
    let run: CheckRun

    init(_ document: DocumentFiles.Document, table: String, run: CheckRun) {
        self.document = document
        self.table = table
        self.run = run
    }

    func add(_ kind: FindingKind, _ what: String) {
        run.add(
            kind, table: table, row: document.position.map(Int64.init), id: document.tree?["id"]?.text, what)
    }

    /// Adds the repeated keys of this document.
    func keys(_ repeated: [RepeatedKeys.Found]) {
        for found in repeated where found.position == document.position {
            add(DocumentFindings.key, "the key `\(found.key)` is there twice")
        }
    }

    func object(_ kind: FindingKind) -> JSONTree? {
        guard let tree = document.tree, tree.keys != nil else {
            add(kind, "not an object")
            return nil
        }
        return tree
    }

    func words(_ tree: JSONTree?) -> String {
        guard let tree else { return "missing" }
        let text = tree.compactText
        return text.count > CompareSettings.longestText
            ? text.prefix(CompareSettings.longestText) + "…" : text
    }
}

/// The identifiers seen so far.
private struct Identities {
    private var seen: [UUID: Int] = [:]

    mutating func check(_ entry: DocumentEntry, _ tree: JSONTree, _ kind: FindingKind, _ twice: FindingKind) {
        if Plausibility.isBlank(tree["name"]?.text) {
            entry.add(kind, "name is \(entry.words(tree["name"]))")
        } else if let damage = tree["name"]?.text.flatMap({ Plausibility.damage(ofName: $0) }) {
            entry.add(DocumentFindings.text, "name has \(damage)")
        }
        guard let id = tree["id"]?.text.flatMap(UUID.init(uuidString:)) else {
            return entry.add(kind, "id is \(entry.words(tree["id"]))")
        }
        if Plausibility.isNil(id) {
            return entry.add(kind, "id is \(entry.words(tree["id"])), which names nothing")
        }
        if let before = seen[id] { entry.add(twice, "the same id as entry \(before)") }
        seen[id] = entry.document.position ?? 0
    }
}
