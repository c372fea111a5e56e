import Foundation
import PluginKit

/// `beacon share BEACON…`
struct ShareBeacons: CommandProvider {
    var name: String { "beacon share" }

    var command: Command {
        Command(
            name, "share beacons as links, or as a file of contacts",
            details: """
                Without --out, one geo: link a line, which map apps open. With it, a vCard file with the name, place and group of \
                each beacon, which phones add to their contacts and `beacon import` reads. The name of a group stands for all \
                of its beacons.
                """,
            BeaconOptions.beacons,
            .option("out", .outputFile, "vCard file to write"),
            BeaconOptions.force,
            output: .value("text"), effect: .reads,
            examples: [
                .init(
                    "a link", "beacon share home", after: ["beacon add home 0.5144,0.4973"],
                    gives: "geo:0.5144,0.4973"),
                .init(
                    "contacts", "beacon share home --out home.vcf", after: ["beacon add home 0.5144,0.4973"],
                    gives: "1 beacon written to home.vcf"),
                .init(
                    "north is no place", "expect-error E-BEACON-NORTH beacon share north",
                    gives: "north is a direction, not a beacon"),
            ],
            searchTerms: [
                "share tones",
                "send a pin", "send a beacon", "share my location", "send", "vcard", "contact", "link", "geo",
            ]
        ) { context, names, url, force in
            let set = try BeaconStore(context).load()
            let beacons = try set.indexes(of: names).map { set.beacons[$0] }
            guard let url else {
                return .text(beacons.map { ContactCards.uri($0.coordinate) }.joined(separator: "\n"))
            }
            try OutputFile.write(ContactCards.data(beacons), to: url, force: force)
            return .text("\(beacons.count, of: "beacon") written to \(url.lastPathComponent)")
        }
    }
}
