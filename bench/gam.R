# The same fits with mgcv, on the data that bench/gam.ts wrote: one JSON line for each problem, processor seconds and peak memory
# (resident set, in a process of its own). Slow ones only with BENCH_FULL=1; BENCH_ONLY=text picks problems by name.
a <- commandArgs(TRUE)
if (length(a) == 0) {
  full <- nzchar(Sys.getenv("BENCH_FULL")); only <- Sys.getenv("BENCH_ONLY")
  cells <- list(c("1e5", 20, "gam", 1), c("1e5", 100, "bam", 1), c("1e5", 100, "discrete", 0), c("3e5", 100, "discrete", 0), c("1e5", 100, "logit", 0))
  for (x in cells) {
    name <- sprintf("%d rows, 5 smooths, k = %s: %s", as.integer(as.numeric(x[1])), x[2], switch(x[3], discrete = "bam, discrete", logit = "logit bam, discrete", x[3]))
    if ((x[4] == "1" && !full) || !grepl(only, name, fixed = TRUE)) next
    cat(system2("Rscript", c("bench/gam.R", shQuote(name), x[1:3]), stdout = TRUE), sep = "\n")
  }
  quit()
}
suppressMessages(library(mgcv)); n <- as.integer(as.numeric(a[2])); k <- a[3]
d <- as.data.frame(matrix(readBin(sprintf("dist/bench/gam-data/%d.bin", n), "double", 7 * n), n)); names(d) <- c(paste0("x", 1:5), "y", "z")
smooths <- paste0("s(x", 1:5, ", bs='cr', k=", k, ")", collapse = " + "); f <- as.formula(paste(if (a[4] == "logit") "z" else "y", "~", smooths))
s <- system.time(m <- switch(a[4], gam = gam(f, data = d, method = "REML"), bam = bam(f, data = d, method = "fREML"),
  discrete = bam(f, data = d, method = "fREML", discrete = TRUE), logit = bam(f, family = binomial, data = d, method = "fREML", discrete = TRUE)))
status <- tryCatch(readLines("/proc/self/status"), error = function(e) ""); peak <- as.numeric(gsub("\\D", "", grep("VmHWM", status, value = TRUE))) / 1000
cat(sprintf('{"problem":"%s","seconds":%.6g,"wall":%.6g,"peakMb":%s,"edf":%.8g,"explained":%.8g,"tool":"R","blas":"%s"}\n', a[1], s[[1]] + s[[2]], s[[3]],
  if (length(peak) == 1) sprintf("%.4g", peak) else "null", sum(m$edf), 1 - m$deviance / m$null.deviance, basename(extSoftVersion()[["BLAS"]])))
