# Summaries, grouping, joining and reshaping of small tables, as base R does them.
library(jsonlite)
num <- function(x) ifelse(is.na(x), "NA", sprintf("%.17g", x))

x <- c(3.25, NA, -1.5, 1e6 + 0.1, 7, 7, 0.001, 2, NA, 12.75)
g <- c("b", "a", "b", NA, "a", "c", "b", "a", "c", "a")
d <- data.frame(g = factor(g), h = c(2, 1, 1, 2, 2, 1, 2, 1, 1, 1), x = x)

q <- quantile(x, c(0, .25, .5, .75, 1), na.rm = TRUE, names = FALSE)
describe <- list(quantiles = num(q), mean = num(mean(x, na.rm = TRUE)), sd = num(sd(x, na.rm = TRUE)))

group <- function(f) {
  a <- aggregate(x ~ g, d, f)
  list(g = as.character(a$g), value = num(a$x))
}
aggregates <- list(mean = group(mean), sum = group(sum), count = group(length), min = group(min), max = group(max),
                   sd = group(sd), median = group(median))
two <- aggregate(x ~ h + g, d, mean)
two <- list(g = as.character(two$g), h = two$h, value = num(two$x))

# A constant far from zero: one-pass formulas lose all digits here.
far <- 1e9 + c(4, 7, 13, 16)
offset <- list(mean = num(mean(far)), sd = num(sd(far)))

left <- data.frame(id = c(4, 2, 9, 2, 1), a = c("p", "q", "r", "s", "t"))
right <- data.frame(id = c(1, 2, 3, 4), b = c(10, 20, 30, 40))
sorted <- function(m) { m <- m[order(m$id, m$a), ]; list(id = m$id, a = m$a, b = num(m$b)) }
joins <- list(inner = sorted(merge(left, right)), left = sorted(merge(left, right, all.x = TRUE)),
              full = sorted(merge(left, right, all = TRUE)))

long <- data.frame(item = c(1, 1, 2, 2, 3), system = c("B", "A", "A", "B", "A"), score = c(.5, .25, 1, 0, .75))
wide <- reshape(long, idvar = "item", timevar = "system", direction = "wide")
wide <- list(item = wide$item, A = num(wide$score.A), B = num(wide$score.B))

out <- list(tool = R.version.string, describe = describe, aggregates = aggregates, two = two, offset = offset,
            joins = joins, wide = wide)
write(toJSON(out, auto_unbox = TRUE, pretty = TRUE, na = "string"), "oracle/r/table-operations.json")
