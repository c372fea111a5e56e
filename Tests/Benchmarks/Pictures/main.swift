import Cartography
import Foundation
import Geodesy
import Pictures

// pictures-bench REGION             times pictures and tiles of a region's map, each beside its goal
// pictures-bench REGION --pbf FILE  the same, and the size of the region beside that of the file it was made from
// pictures-bench REGION --looks DIR draws places at four zooms in all styles, for review
// pictures-bench REGION --time ZOOM WIDTH HEIGHT RUNS   one view, for compare-mapnik.py
// pictures-bench REGION --draw LAT LON ZOOM WIDTH HEIGHT STYLE FILE

let arguments = CommandLine.arguments.dropFirst().map { $0 }
guard let region = arguments.first else {
    print(
        "usage: pictures-bench REGION.routing.db [--pbf FILE | --looks FOLDER PLACE=LAT,LON… | --draw LAT LON ZOOM WIDTH HEIGHT STYLE FILE]"
    )
    exit(64)
}
let url = URL(fileURLWithPath: region)
let source = try MapSource(url)

let extract = arguments.count == 3 && arguments[1] == "--pbf" ? URL(fileURLWithPath: arguments[2]) : nil

if arguments.count == 9, arguments[1] == "--draw" {
    let numbers = arguments[2...6].compactMap(Double.init)
    let view = MapView(
        center: Coordinate(latitude: numbers[0], longitude: numbers[1]), zoom: numbers[2],
        size: SceneSize(width: numbers[3], height: numbers[4]))
    try source.png(view, style: try MapStyle.named(arguments[7])).write(
        to: URL(fileURLWithPath: arguments[8]))
    exit(0)
}

if arguments.count == 6, arguments[1] == "--time", let bounds = source.bounds {
    // The median milliseconds of processor time around the centre of the region, and the centre.
    let numbers = arguments[2...5].compactMap(Double.init)
    let view = MapView(
        center: bounds.center, zoom: numbers[0], size: SceneSize(width: numbers[1], height: numbers[2]))
    _ = try source.png(view)
    let times = try (0..<Int(numbers[3])).map { _ in
        try MapMeasures.measured { _ = try source.png(view) }.processor
    }
    print(MapMeasures.median(times), bounds.center.latitude, bounds.center.longitude)
    exit(0)
}

if arguments.count > 3, arguments[1] == "--looks" {
    let places = arguments[3...].compactMap { text -> (String, Coordinate)? in
        let parts = text.split(separator: "=")
        let numbers = parts.last?.split(separator: ",").compactMap { Double($0) } ?? []
        return numbers.count == 2
            ? (String(parts[0]), Coordinate(latitude: numbers[0], longitude: numbers[1])) : nil
    }
    for (name, place) in places {
        for zoom in [10.0, 12, 14, 16] {
            for palette in MapStyle.Palette.allCases {
                let view = MapView(center: place, zoom: zoom, size: SceneSize(width: 800, height: 600))
                let file = URL(fileURLWithPath: arguments[2]).appendingPathComponent(
                    "\(name)-\(Int(zoom))-\(palette.rawValue).png")
                try source.png(view, style: .builtIn(palette)).write(to: file)
            }
        }
    }
    exit(0)
}

try MapMeasures(region: url, extract: extract).run()
