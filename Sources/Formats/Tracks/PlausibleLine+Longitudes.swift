import Core
import Geodesy

/// Longitudes beyond ±180°.
extension PlausibleLine {
    /// Reads those of which the line shows where they are, and takes the others out as positions that are none.
    mutating func turnWideLongitudes() {
        var (turned, lost, number) = (0, 0, 0)
        /// The first that is none, with its number among the points.
        var first: (number: Int, longitude: Double)?
        for index in line.segments.indices {
            let longitudes = line.segments[index].map(\.coordinate.longitude)
            guard longitudes.contains(where: WideLongitudes.isWide) else {
                number += longitudes.count
                continue
            }
            let readable = WideLongitudes.readable(longitudes)
            for (place, longitude) in longitudes.enumerated() where readable[place] {
                line.segments[index][place].coordinate.longitude = WideLongitudes.turned(longitude)
                turned += 1
            }
            for (place, point) in line.segments[index].enumerated()
            where WideLongitudes.isWide(point.coordinate.longitude) {
                lost += 1
                first = first ?? (number + place + 1, point.coordinate.longitude)
                if let time = point.time {
                    line.unplaced.append(
                        UnplacedSample(
                            time: time, altitude: point.coordinate.altitude, sensors: point.sensors))
                } else {
                    account.leaveOut("without a position and a time")
                }
            }
            number += longitudes.count
            line.segments[index].removeAll { WideLongitudes.isWide($0.coordinate.longitude) }
        }
        if turned > 0 { line.doubts.append("\(WideLongitudes.said): \(turned)") }
        guard lost > 0 else { return }
        line.segments.removeAll(where: \.isEmpty)
        line.unplaced.sort { $0.time < $1.time }
        let example = first.map {
            " (first: point \($0.number), longitude \(DecimalText.trimmed($0.longitude, decimals: 4)))"
        }
        line.doubts.append("\(GPXLine.astray): \(lost)\(example ?? "")")
    }
}
