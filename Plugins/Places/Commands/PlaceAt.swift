import Geodesy
import PluginKit

/// `place at LAT,LON`
struct PlaceAt: CommandProvider {
    var name: String { "place at" }

    var command: Command {
        Command(
            name, "show the address and places at a coordinate",
            details: """
                address is the nearest within 60 m, street the nearest named way within 500 m. town is the municipality whose \
                outline contains the coordinate; without an outline, near is the nearest settlement. around lists \
                named places within 1 km. Unknown fields are omitted.
                """,
            .positional("place", .coordinate, "coordinate"),
            output: .value("record"), effect: .reads,
            examples: [
                .init(
                    "no region covers it", "expect-error E-PLACE-NODATA place at 46.5,7.5",
                    gives: "no imported region covers 46.5,7.5")
            ],
            searchTerms: [
                "what is at a point", "what is here", "point I clicked",
                "which street", "what street", "which road is this",
                "what place is this", "which town", "name of a mountain",
                "address of a position",
                "reverse", "geocode", "address", "where", "what is near me", "reverse geocode",
                "address of a coordinate", "where am i", "name of the mountain", "which town is this",
                "what building is this", "name of a valley", "what is this called", "where exactly is",
            ]
        ) { context, place in
            let reverse = ReversePlaces()
            guard let found = try await reverse.surroundings(of: place, context: context) else {
                throw PlaceCoverages.error(place, try await PlaceCoverages(context).all(), context)
            }
            let name = try ReversePlaces.name(found)
            try context.tracing?.keep(
                "candidates for a name of the coordinate",
                from: .start(
                    [("at", .coordinate(place.withoutAltitude))],
                    why:
                        "a landmark at the coordinate comes first, then the address, the street, a place nearby, the town"
                ),
                candidates: ReversePlaces.considered(found),
                to: .end(
                    [("name", Value(name, Value.text))],
                    why: name == nil
                        ? "no candidate is near enough" : "the first candidate that is near enough is used"))
            return .record(try Self.record(found, name: name))
        }.deciding(
            "place at 0.51440,0.49731", after: ["region sample", "region import valley.osm | get name"])
    }

    private static func record(_ found: any PlaceSurroundings, name: String?) throws -> Record {
        var fields: [(String, Value)] = []
        if let name { fields.append(("name", .text(name))) }
        if let address = try found.address {
            let place = address.place
            let text = [place.name, place.context].compactMap { $0 }.joined(separator: ", ")
            fields.append(("address", .text(text)))
            fields.append(("addressDistance", PlaceObject.distance(address.distance)))
        }
        if let street = try found.street {
            fields.append(("street", .text(street.place.name)))
            fields.append(("streetDistance", PlaceObject.distance(street.distance)))
        }
        if let town = try found.town { fields.append(("town", .text(town))) }
        if let near = try found.nearestTown {
            fields.append(("near", .text(near.place.name)))
            fields.append(("nearDistance", PlaceObject.distance(near.distance)))
        }
        fields.append(("source", .text(found.source)))
        let around = try found.around.map { item in
            PlaceObject(
                PlaceMatch(
                    place: item.place, quality: PlaceMatch.Quality(score: 1, manner: .coordinate),
                    distance: item.distance))
        }
        if !around.isEmpty {
            fields.append(
                ("around", .table(objects: around, columns: ["name", "kind", "at", "distance"])))
        }
        return Record(fields)
    }
}
