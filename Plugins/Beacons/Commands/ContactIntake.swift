import Foundation
import Geodesy
import PluginKit

/// Contacts of a file that have a place, and why the others have none.
struct ContactIntake {
    /// A contact with a place.
    struct Contact {
        let name: String
        let coordinate: Coordinate
        let group: String?
        let id: UUID?
    }

    let found: [Contact]
    /// Contacts without a place, with the reason.
    private let skipped: [(name: String, why: String)]
    private let file: String
    /// Longer files are not contacts.
    private static let longest = 64 << 20
    /// Contacts named in a note.
    private static let named = 5

    /// `nil` if the file holds no contacts. Throws `E-BEACON-CARD` if none of them has a place.
    init?(_ url: URL, _ context: Context) async throws {
        let size = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int
        guard let size, size <= Self.longest, let data = try? Data(contentsOf: url),
            ContactCards.isCards(data)
        else { return nil }
        var found: [Contact] = []
        var skipped: [(name: String, why: String)] = []
        for card in ContactCards.cards(in: data) {
            try context.checkCancelled()
            let name = card.name.isEmpty ? card.address ?? "" : card.name
            if name.isEmpty {
                skipped.append(("a contact", "has neither a name nor an address"))
            } else if let place = card.coordinate {
                found.append(
                    Contact(
                        name: name, coordinate: place.withoutAltitude, group: card.categories, id: card.id))
            } else if let address = card.address {
                switch try await Self.place(address, context) {
                case .success(let place):
                    found.append(Contact(name: name, coordinate: place, group: card.categories, id: card.id))
                case .failure(let error): skipped.append((name, error.message))
                }
            } else {
                skipped.append((name, card.placeFault ?? "has no place and no address"))
            }
        }
        self.found = found
        self.skipped = skipped
        file = url.lastPathComponent
        guard !found.isEmpty else {
            throw BeaconErrors.card(
                note.map { "\(url.lastPathComponent): \($0)" }
                    ?? "\(url.lastPathComponent) holds no contacts",
                at: .parameter("file"), fix: "beacon add NAME LAT,LON")
        }
    }

    /// What became of the cards.
    var account: SourceAccount {
        SourceAccount(
            source: file,
            parts: [
                .init(
                    item: "contact", seen: found.count + skipped.count, used: found.count,
                    entries: [
                        .init(
                            .setAside, "without a place", count: skipped.count,
                            first: skipped.prefix(Self.named).map { "\($0.name): \($0.why)" })
                    ])
            ])
    }

    /// Which contacts were not added; `nil` if all were.
    var note: String? {
        guard !skipped.isEmpty else { return nil }
        let names = skipped.lazy.map { "\($0.name): \($0.why)" }
            .listed(first: Self.named, separator: "; ", more: "; and ")
        return "\(skipped.count, of: "contact") not added: \(names)"
    }

    /// The place of an address; an address that is not found is a result, not a failure of the import.
    private static func place(
        _ address: String, _ context: Context
    ) async throws -> Result<Coordinate, RutterError> {
        guard let finder = context.all((any PlaceFinding).self).first else {
            return .failure(BeaconErrors.card("the address cannot be searched here"))
        }
        do {
            let object = try await finder.place(named: address, context: context)
            guard case .coordinate(let place)? = object.field("at") else {
                return .failure(BeaconErrors.card("the address has no coordinate"))
            }
            return .success(place.withoutAltitude)
        } catch let error as RutterError {
            return .failure(error)
        }
    }
}

extension BeaconSet {
    /// Adds a contact's beacon with the least used tone, or changes the one that was shared as this contact; returns its
    /// index.
    mutating func add(_ contact: ContactIntake.Contact, _ context: Context) throws -> Int {
        let known = beacons.first { $0.id == contact.id }
        var beacon =
            try known
            ?? Beacon(
                id: contact.id ?? freshID(context.random.uuid), name: contact.name,
                coordinate: contact.coordinate, toneID: rarestTone.id)
        (beacon.name, beacon.coordinate) = (contact.name, contact.coordinate)
        beacon.group = try contact.group.map(Self.checkedGroup)
        return try take(beacon)
    }
}
