import RutterPlugin

/// A Maidenhead locator: fields of 20 by 10 degrees, divided by 10, 24, and so on in turn.
func locator(latitude: Double, longitude: Double, pairs: Int) -> String {
    // The last field ends at the pole and at the antimeridian.
    var east = min(longitude + 180, 359.999999)
    var north = min(latitude + 90, 179.999999)
    var (width, height) = (20.0, 10.0)
    var text = ""
    for pair in 0..<pairs {
        let first = pair % 2 == 1 ? 48 : pair == 0 ? 65 : 97
        for part in [Int(east / width), Int(north / height)] {
            text.unicodeScalars.append(Unicode.Scalar(UInt8(first + part)))
        }
        east = east.truncatingRemainder(dividingBy: width)
        north = north.truncatingRemainder(dividingBy: height)
        let parts = pair % 2 == 0 ? 10.0 : 24.0
        (width, height) = (width / parts, height / parts)
    }
    return text
}

let plugin = Plugin("locator", version: "1.0", summary: "Maidenhead locators of radio amateurs")

plugin.command(
    "locator of", "find the Maidenhead locator of a place",
    [
        PluginParameter("place", "place", "where"),
        PluginParameter("pairs", "integer", "pairs of characters", kind: "option", defaultText: "3"),
    ], gives: "text", effect: "pure",
    examples: [["title": "Munich", "line": "locator of 48.14666,11.60833", "gives": "JN58td"]]
) { call in
    guard case .coordinate(let latitude, let longitude, _)? = call.arguments["place"],
        case .integer(let pairs)? = call.arguments["pairs"]
    else { throw PluginError("E-LOCATOR-ARGUMENTS", "a place and a number of pairs are needed") }
    guard (1...5).contains(pairs) else {
        throw PluginError("E-LOCATOR-PAIRS", "there are 1 to 5 pairs, not \(pairs)", argument: "pairs")
    }
    return .text(locator(latitude: latitude, longitude: longitude, pairs: pairs))
}

plugin.run()
