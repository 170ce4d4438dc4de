# Differences of systems within classes of items, each with its own spread (t.test), and whether they depend on the class (oneway.test).
# Run: Rscript oracle/r/compare-classes.R > oracle/r/compare-classes.json
suppressMessages(library(jsonlite))
set.seed(16)
classes <- rep(c("short", "middle", "long"), c(30, 14, 6))
base <- round(rnorm(50, 60, 8), 2)
spread <- c(short = 1, middle = 2, long = 6)[classes]
scores <- cbind(a = base, b = round(base + 1 + spread * rnorm(50), 2), c = round(base - (classes == "middle") * 2 + spread * rnorm(50), 2))
pairs <- list(c(1, 2), c(1, 3), c(2, 3))
welch <- lapply(pairs, function(k) {
  d <- scores[, k[2]] - scores[, k[1]]
  w <- oneway.test(d ~ factor(classes))
  list(F = unname(w$statistic), df = unname(w$parameter), p = w$p.value)
})
t <- unlist(lapply(c("short", "middle", "long"), function(own) lapply(pairs, function(k) {
  x <- scores[classes == own, k[2]] - scores[classes == own, k[1]]
  r <- t.test(x)
  tukey <- ptukey(abs(unname(r$statistic)) * sqrt(2), 3, length(x) - 1, lower.tail = FALSE)
  list(class = own, estimate = unname(r$estimate), lower = r$conf.int[1], upper = r$conf.int[2], p = r$p.value, tukey = tukey)
})), recursive = FALSE)
cat(toJSON(list(tool = paste0("R ", getRversion()), classes = classes, scores = scores, welch = welch, holm = p.adjust(sapply(welch, `[[`, "p"), "holm"), t = t),
  digits = I(15), auto_unbox = TRUE), "\n")
