import Cartography
import Foundation
import Geodesy
import Pictures

// pictures-bench REGION             times pictures and tiles of a region's map
// pictures-bench REGION --looks DIR draws places at four zooms in all styles, to be looked at
// pictures-bench REGION --draw LAT LON ZOOM WIDTH HEIGHT STYLE FILE

let arguments = CommandLine.arguments.dropFirst().map { $0 }
guard let region = arguments.first else {
    print(
        "usage: pictures-bench REGION.routing.db [--looks FOLDER | --draw LAT LON ZOOM WIDTH HEIGHT STYLE FILE]"
    )
    exit(64)
}
let url = URL(fileURLWithPath: region)
let source = try MapSource(url)

func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let time = try clock.measure(body)
    return Double(time.components.seconds) * 1000 + Double(time.components.attoseconds) / 1e15
}

func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

func text(_ number: Double) -> String { String(format: "%.1f", number) }

if arguments.count == 9, arguments[1] == "--draw" {
    let numbers = arguments[2...6].compactMap(Double.init)
    let view = MapView(
        center: Coordinate(latitude: numbers[0], longitude: numbers[1]), zoom: numbers[2],
        size: SceneSize(width: numbers[3], height: numbers[4]))
    try source.png(view, style: try MapStyle.named(arguments[7])).write(
        to: URL(fileURLWithPath: arguments[8]))
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

guard let bounds = source.bounds else {
    print("the region does not say where it lies")
    exit(1)
}
print("what\tmedian ms\tcold ms")
for zoom in [10.0, 12, 14, 16] {
    let view = MapView(center: bounds.center, zoom: zoom, size: SceneSize(width: 1280, height: 800))
    let cold = try milliseconds { _ = try MapSource(url).png(view) }
    _ = try source.png(view)
    let times = try (0..<7).map { _ in try milliseconds { _ = try source.png(view) } }
    print("1280x800 at zoom \(Int(zoom))\t\(text(median(times)))\t\(text(cold))")
}
var all: [Double] = []
var bytes = 0
for zoom in 8...15 {
    let side = exp2(Double(zoom))
    let northWest = WebMercator.project(Coordinate(latitude: bounds.north, longitude: bounds.west))
    let southEast = WebMercator.project(Coordinate(latitude: bounds.south, longitude: bounds.east))
    var times: [Double] = []
    for y in Int(northWest.y * side)...Int(southEast.y * side) {
        for x in Int(northWest.x * side)...Int(southEast.x * side) {
            times.append(try milliseconds { bytes += try source.tile(z: zoom, x: x, y: y).count })
        }
    }
    print("\(times.count) tiles of zoom \(zoom)\t\(text(median(times)))")
    all += times
}
print(
    "all \(all.count) tiles, one thread\t\(text(median(all)))\t\(text(all.reduce(0, +))) in all, \(bytes) bytes"
)
